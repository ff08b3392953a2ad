import { z } from 'zod'
import { merchantId } from '../merchants/merchant.ts'
import { TillError } from '../till-error.ts'
import { type Payment, paymentId } from './payment.ts'

/** How a payment ended. The first outcome wins. */
export type Outcome =
  | {
      /** The payment was successful. */
      status: 'completed'
    }
  | {
      /** The payment failed. */
      status: 'error'
      /** Why; null where that is not known. */
      failure: string | null
    }

/** Checks which payment is meant: any object with these two, a payment among them. */
export const paymentKey = z.object({
  merchantId,
  id: paymentId,
})

/** What `till.payments.fail` takes beside the payment. */
export interface FailPayment {
  /** The reason, kept with the payment but not shown to the merchant: text of up to 255 characters, see `keptFailure`. */
  failure?: string | null | undefined
}

/** Throws `conflict` when `payment`, whose outcome is known, ended otherwise than `outcome` says. */
export function assertOutcome(payment: Payment, outcome: Outcome): void {
  if (payment.status === outcome.status) return
  throw new TillError('conflict', `payment ${payment.id} is already ${payment.status}`)
}
