import { z } from 'zod'
import type { WireDate } from '../values/date.ts'
import type { Extra } from './extra.ts'

/** `pending` becomes `completed` or `error`, once, and stays so (API 3). */
export type PaymentStatus = 'pending' | 'completed' | 'error'

/** All statuses of a payment. */
export const PAYMENT_STATUSES: readonly PaymentStatus[] = ['pending', 'completed', 'error']

/** Names one payment: ids run per merchant. */
export interface PaymentKey {
  /** Whom it was paid to. */
  merchantId: string
  /** 1, 2, 3 … with no gap. */
  id: number
}

/** Checks the id of a payment. */
export const paymentId = z.int('must be an integer').positive('must be a positive integer')

/** One attempt to pay (API 2.1). Amounts are in cents; what is not defined is null. */
export interface Payment extends PaymentKey {
  /** Whether it ended, and how. */
  status: PaymentStatus
  /** When it was started; never earlier than the payment before it. */
  date: WireDate
  /** What the customer pays, in cents, tip included. */
  totalAmount: number
  /** The tip in cents, 0 where none was given; null for a merchant without the feature `tips`. */
  tipAmount: number | null
  /** The code that was scanned. */
  scanCode: string
  /** The merchant's own name for the code, as it was when the payment started. */
  scanCodeReference: string | null
  /** What the customer entered; null for a merchant without the feature `userReferences`. */
  userReference: string | null
  /** The settlement that paid it out; null until then. */
  statementReference: string | null
  /** Whether a voucher was bought. */
  isVoucher: boolean
  /** Whether a voucher was paid with. */
  isVoucherRedemption: boolean
  /** What was owed, in cents: `amount` of the payment URL. */
  requiredAmount: number | null
  /** The merchant's own reference, an order number for example: `id` of the payment URL. */
  merchantReference: string | null
  /** Six digits, shown to the customer when the payment succeeds. */
  authCode: string | null
  /** The device it was taken on. */
  deviceSerialNumber: string | null
  /** Whether it was checked against `requiredAmount` and its reference's other payments when it started. */
  strict: boolean
  /** Why it is `error`, where that is known. Not part of the wire's payment object. */
  failure: string | null
  /** The other parameters of the payment URL, name to value; empty where there were none. */
  extra: Extra
}
