import type { Payment } from '@tillkit/domain'
import { wireDateOf } from '../dates.ts'
import { isSet } from '../is-set.ts'
import type { NoPaymentRow, PaymentRow, Whole } from './payment-row.ts'
import { readableExtra } from './readable-payment.ts'

/** Throws `UnreadableRowError` for a row that is not a payment whole. What stands in it beside one is left. */
export function toPayment(merchantId: string, row: readonly [...PaymentRow, ...unknown[]]): Payment {
  const extra = readableExtra(merchantId, row)
  return {
    merchantId,
    id: Number(row[0]),
    status: row[1],
    date: wireDateOf(row[2]),
    totalAmount: Number(row[3]),
    tipAmount: whole(row[4]),
    scanCode: row[5],
    scanCodeReference: row[6],
    userReference: row[7],
    statementReference: row[8],
    isVoucher: isSet(row[9]),
    isVoucherRedemption: isSet(row[10]),
    requiredAmount: whole(row[11]),
    merchantReference: row[12],
    authCode: row[13],
    deviceSerialNumber: row[14],
    strict: isSet(row[15]),
    failure: row[16],
    extra,
  }
}

/** The payments of rows, without those that have none, latest first: what a join hands on of their order no engine promises. */
export function paymentsOf(
  merchantId: string,
  rows: readonly (readonly [...(PaymentRow | NoPaymentRow), ...unknown[]])[],
): Payment[] {
  const payments: Payment[] = []
  for (const row of rows) if (row[0] !== null) payments.push(toPayment(merchantId, row as [...PaymentRow]))
  return payments.sort((a, b) => b.id - a.id)
}

const whole = (value: Whole | null): number | null => (value === null ? null : Number(value))
