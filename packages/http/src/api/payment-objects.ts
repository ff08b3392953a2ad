import { devicePaymentObjectSchema, type Payment, paymentObjectSchema } from '@tillkit/domain'
import { z } from 'zod'
import type { Call } from './call.ts'

/** What the lists of payments hold: one form or the other, by the merchant's features. */
export const listedPayments = z.array(z.union([paymentObjectSchema, devicePaymentObjectSchema]))

/** Payments as the merchant's lists show them (API 2.1). */
export function paymentObjects({ merchant, words }: Call, payments: Payment[]) {
  return payments.map(merchant.features.deviceLists ? words.devicePayment : words.payment)
}
