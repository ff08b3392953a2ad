import { z } from 'zod'
import { type Payment, paymentId } from './payment.ts'
import { nonEmptyReference } from './text.ts'
import { TillError } from './till-error.ts'

/** What `till.payments.settle` takes beside the merchant. */
export const settlement = z.strictObject({
  statementReference: nonEmptyReference,
  paymentIds: z.array(paymentId),
})
export type Settlement = z.input<typeof settlement>

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
