import {
  devicePaymentObject,
  devicePaymentObjectSchema,
  type Merchant,
  type Payment,
  paymentObject,
  paymentObjectSchema,
} from '@tillkit/domain'
import { z } from 'zod'

/** What the lists of payments hold: one form or the other, by the merchant's features. */
export const listedPayments = z.array(z.union([paymentObjectSchema, devicePaymentObjectSchema]))

/** Payments as the merchant's lists show them (API 2.1). */
export function paymentObjects({ features }: Merchant, payments: Payment[]) {
  return features.deviceLists ? payments.map(devicePaymentObject) : payments.map(paymentObject)
}
