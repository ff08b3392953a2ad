import { z } from 'zod'
import type { WireDate } from './date.ts'
import type { Extra } from './extra.ts'

/** `pending` becomes `completed` or `error`, once; nothing else ever changes (specification 3). */
export type PaymentStatus = 'pending' | 'completed' | 'error'

export const PAYMENT_STATUSES: readonly PaymentStatus[] = ['pending', 'completed', 'error']

/** Names one payment: ids run per merchant. */
export interface PaymentKey {
  merchantId: string
  /** 1, 2, 3 … with no gap. */
  id: number
}

/** The id of a payment. */
export const paymentId = z.int('must be an integer').positive('must be a positive integer')

/** One attempt to pay (specification 2.1). Amounts are in cents; what is not defined is null. */
export interface Payment extends PaymentKey {
  status: PaymentStatus
  /** When it was started; never earlier than the payment before it. */
  date: WireDate
  /** Includes `tipAmount`. */
  totalAmount: number
  tipAmount: number | null
  scanCode: string
  scanCodeReference: string | null
  userReference: string | null
  /** The settlement that paid it out; null until then. */
  statementReference: string | null
  isVoucher: boolean
  isVoucherRedemption: boolean
  requiredAmount: number | null
  merchantReference: string | null
  /** Six digits, shown to the customer when the payment succeeds. */
  authCode: string | null
  deviceSerialNumber: string | null
  /** Whether it was checked against `requiredAmount` and its reference's other payments when it started. */
  strict: boolean
  /** Why it is `error`, where that is known. Not part of the wire's payment object. */
  failure: string | null
  extra: Extra
}
