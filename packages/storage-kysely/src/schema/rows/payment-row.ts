import type { PaymentStatus } from '@tillkit/domain'
import type { ReadDate } from '../dates.ts'
import type { Flag, PaymentsTable } from '../tables.ts'

/** A whole number as a driver hands it over. */
export type Whole = number | string | bigint

/** What is read of a payment beside whose it is, which whoever asks knows. */
export const PAYMENT_COLUMNS = [
  'id',
  'status',
  'date',
  'total_amount',
  'tip_amount',
  'scan_code',
  'scan_code_reference',
  'user_reference',
  'statement_reference',
  'is_voucher',
  'is_voucher_redemption',
  'required_amount',
  'merchant_reference',
  'auth_code',
  'device_serial_number',
  'strict',
  'failure',
  'extra',
] as const satisfies (keyof PaymentsTable)[]

/** Those of them that are true or false. */
export const PAYMENT_FLAGS: ReadonlySet<string> = new Set(['is_voucher', 'is_voucher_redemption', 'strict'])

/** Those columns of a payment, in their order: a page has a thousand values, and as many names cost as much as they. */
export type PaymentRow = [
  id: Whole,
  status: PaymentStatus,
  date: ReadDate,
  totalAmount: Whole,
  tipAmount: Whole | null,
  scanCode: string,
  scanCodeReference: string | null,
  userReference: string | null,
  statementReference: string | null,
  isVoucher: Flag | null,
  isVoucherRedemption: Flag | null,
  requiredAmount: Whole | null,
  merchantReference: string | null,
  authCode: string | null,
  deviceSerialNumber: string | null,
  strict: Flag | null,
  failure: string | null,
  extra: string,
]

/** A row that has nothing of a payment, where something else was found without one. */
export type NoPaymentRow = Nulls<PaymentRow>

type Nulls<Row> = { [Column in keyof Row]: null }

/** Where in a row stands what is read beside the payment. */
export const BESIDE_PAYMENT = 18 satisfies PaymentRow['length']

/** The row among columns that have names. */
export function paymentRowOf(named: Record<(typeof PAYMENT_COLUMNS)[number], unknown>): PaymentRow {
  return PAYMENT_COLUMNS.map(name => named[name]) as PaymentRow
}
