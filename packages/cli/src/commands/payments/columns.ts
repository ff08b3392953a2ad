import type { Payment } from '@tillkit/till'
import { amounts } from '../../output/amount.ts'
import type { Cell, Columns } from '../../output/printer.ts'

/** What a table of payments shows; amounts in cents where no currency is known. */
export function paymentColumns(currency: string | undefined): Columns<Payment> {
  const amount = amounts(currency)
  const unit = currency === undefined ? ' (cents)' : ''
  return [
    ['id', ({ id }) => id],
    ['date', ({ date }) => date],
    ['status', ({ status }) => status],
    [`total${unit}`, ({ totalAmount }) => amount(totalAmount)],
    [`tip${unit}`, ({ tipAmount }) => amount(tipAmount)],
    ['code', ({ scanCode }) => scanCode],
    ['merchant reference', ({ merchantReference }) => merchantReference],
    ['user reference', ({ userReference }) => userReference],
    ['statement', ({ statementReference }) => statementReference],
  ]
}

/** All of one payment. */
export function paymentParts(payment: Payment, currency: string | undefined): (readonly [string, Cell])[] {
  const amount = amounts(currency)
  const unit = currency === undefined ? ' (cents)' : ''
  return [
    ['merchant', payment.merchantId],
    ['id', payment.id],
    ['status', payment.status],
    ['failure', payment.failure],
    ['date', payment.date],
    [`total${unit}`, amount(payment.totalAmount)],
    [`tip${unit}`, amount(payment.tipAmount)],
    [`required${unit}`, amount(payment.requiredAmount)],
    ['code', payment.scanCode],
    ['code reference', payment.scanCodeReference],
    ['merchant reference', payment.merchantReference],
    ['user reference', payment.userReference],
    ['statement reference', payment.statementReference],
    ['authorisation code', payment.authCode],
    ['device', payment.deviceSerialNumber],
    ['strict', payment.strict],
    ['buys a voucher', payment.isVoucher],
    ['pays by voucher', payment.isVoucherRedemption],
    ...Object.entries(payment.extra).map(([name, value]) => [`extra ${name}`, value] as const),
  ]
}
