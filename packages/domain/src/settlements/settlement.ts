import { z } from 'zod'
import { type Payment, paymentId } from '../payments/payment.ts'
import { TillError } from '../till-error.ts'
import { nonEmptyReference } from '../values/text.ts'

/** What `till.payments.settle` takes beside the merchant. */
export interface Settlement {
  /** The reference on the merchant's bank statement: text of 1 to 255 characters. */
  statementReference: string
  /** The completed payments that were paid out under it. */
  paymentIds: number[]
}

/** Checks a `Settlement`. */
export const settlement = z.strictObject({
  statementReference: nonEmptyReference,
  paymentIds: z.array(paymentId),
})

/** Throws `conflict` unless `payment` is completed and not settled under another reference. */
export function assertSettles(payment: Payment, statementReference: string): void {
  if (payment.status !== 'completed') {
    throw new TillError(
      'conflict',
      `payment ${payment.id} is ${payment.status}; only completed payments settle`,
    )
  }
  if (payment.statementReference !== null && payment.statementReference !== statementReference) {
    throw new TillError(
      'conflict',
      `payment ${payment.id} is already settled as ${payment.statementReference}`,
    )
  }
}
