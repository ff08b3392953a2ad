import { devicePaymentObject, type Merchant, type Payment, paymentObject } from '@tillkit/domain'

/** Payments as the merchant's lists show them (API 2.1). */
export function paymentObjects({ features }: Merchant, payments: Payment[]) {
  return features.deviceLists ? payments.map(devicePaymentObject) : payments.map(paymentObject)
}
