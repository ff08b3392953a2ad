import type { NewPayment, Payment } from '@tillkit/domain'
import type { Insertable } from 'kysely'
import type { Dialect } from '../../dialects/dialect.ts'
import { PAYMENT_COLUMNS } from '../../schema/rows/payment-row.ts'
import { BEFORE_ALL, type PaymentsTable } from '../../schema/tables.ts'
import type { Database } from '../../session/database.ts'
import { type Prepared, prepare } from '../../session/statements/prepared.ts'

export type NewPaymentRow = Required<Insertable<PaymentsTable>>

/** What a store adds to an attempt as it starts. */
export type Started = Pick<Payment, 'id' | 'status' | 'date' | 'failure'>

/** The same where the statement that writes the row gives it its id and its date. */
export const UNSTARTED = {
  id: 0,
  status: 'pending',
  date: BEFORE_ALL,
  failure: null,
} as const satisfies Started

/** The payment that an attempt becomes. */
export function startedPayment({ attemptKey: _, ...attempt }: NewPayment, started: Started): Payment {
  return { ...attempt, extra: { ...attempt.extra }, ...started, statementReference: null }
}

/** Its row. `guardedReference` is the reference that no other live strict payment may have. */
export function newPaymentRow(
  payment: NewPayment,
  { id, status, date, failure }: Started,
  guardedReference: string | null,
  { flag, time }: Dialect,
): NewPaymentRow {
  return {
    merchant_id: payment.merchantId,
    id,
    status,
    date: time(date),
    total_amount: payment.totalAmount,
    tip_amount: payment.tipAmount,
    scan_code: payment.scanCode,
    scan_code_reference: payment.scanCodeReference,
    user_reference: payment.userReference,
    statement_reference: null,
    is_voucher: flag(payment.isVoucher),
    is_voucher_redemption: flag(payment.isVoucherRedemption),
    required_amount: payment.requiredAmount,
    merchant_reference: payment.merchantReference,
    auth_code: payment.authCode,
    device_serial_number: payment.deviceSerialNumber,
    strict: flag(payment.strict),
    failure,
    extra: JSON.stringify(payment.extra),
    attempt_key: payment.attemptKey,
    guarded_reference: guardedReference,
  }
}

/** What is read of a payment, whose it is, and the keys that only writes look at. */
export const ALL_PAYMENT_COLUMNS = [
  'merchant_id',
  ...PAYMENT_COLUMNS,
  'attempt_key',
  'guarded_reference',
] as const satisfies (keyof PaymentsTable)[]

export function insertPayment({ builder }: Database): Prepared<NewPaymentRow, unknown> {
  return prepare((row: NewPaymentRow) =>
    builder
      .insertInto('payments')
      .values(
        Object.fromEntries(ALL_PAYMENT_COLUMNS.map(name => [name, row[name]])) as unknown as NewPaymentRow,
      ),
  )
}
