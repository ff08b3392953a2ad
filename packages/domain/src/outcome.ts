import { z } from 'zod'
import { merchantId } from './merchant.ts'
import type { Payment } from './payment.ts'
import { reference } from './text.ts'
import { TillError } from './till-error.ts'

/** How a payment ended. The first outcome wins. */
export type Outcome = { status: 'completed' } | { status: 'error'; failure: string | null }

/** Which payment: any object with these two, a payment among them. */
export const paymentKey = z.object({
  merchantId,
  id: z.int().positive('must be a positive integer'),
})

/** What `till.payments.fail` takes beside the payment: the reason, kept with it but not shown to the merchant. */
export const failPayment = z.strictObject({ failure: reference.nullish() })
export type FailPayment = z.input<typeof failPayment>

/** Throws `conflict` when `payment`, whose outcome is known, ended otherwise than `outcome` says. */
export function assertOutcome(payment: Payment, outcome: Outcome): void {
  if (payment.status === outcome.status) return
  throw new TillError('conflict', `payment ${payment.id} is already ${payment.status}`)
}
