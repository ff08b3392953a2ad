import type { NewPayment } from './start-payment.ts'

/** Why strict mode records an attempt as `error` at once. */
export type StrictRefusal = 'reference_taken' | 'amount_too_low'

/** The reference that no second live strict payment of the merchant may have; null where strict has none to guard. */
export function guardedReference(payment: Pick<NewPayment, 'strict' | 'merchantReference'>): string | null {
  return payment.strict ? payment.merchantReference : null
}

/**
 * Whether strict mode refuses `payment` (API 4.7): its reference already has a pending or completed payment
 * of the merchant (`referenceTaken`, which a store reads under the merchant's lock), or less than the required amount
 * is paid, tip apart. Payments that are not strict are never refused.
 */
export function strictRefusal(payment: NewPayment, referenceTaken: boolean): StrictRefusal | null {
  if (!payment.strict) return null
  if (guardedReference(payment) !== null && referenceTaken) return 'reference_taken'
  const paid = payment.totalAmount - (payment.tipAmount ?? 0)
  return payment.requiredAmount !== null && paid < payment.requiredAmount ? 'amount_too_low' : null
}
