import type { Payment } from './payment.ts'

/** A payment as one payment by id, webhooks and most lists show it: fifteen keys, in this order (specification 2.1). */
export function paymentObject(payment: Payment) {
  return {
    id: payment.id,
    status: payment.status,
    date: payment.date,
    totalAmount: payment.totalAmount,
    tipAmount: payment.tipAmount,
    scanCode: payment.scanCode,
    scanCodeReference: payment.scanCodeReference,
    userReference: payment.userReference,
    statementReference: payment.statementReference,
    isVoucher: payment.isVoucher,
    isVoucherRedemption: payment.isVoucherRedemption,
    requiredAmount: payment.requiredAmount,
    merchantReference: payment.merchantReference,
    authCode: payment.authCode,
    extra: payment.extra,
  }
}

/** A payment as the lists of a merchant with `deviceLists` show it: the device in place of the voucher flags. */
export function devicePaymentObject(payment: Payment) {
  return {
    id: payment.id,
    status: payment.status,
    date: payment.date,
    totalAmount: payment.totalAmount,
    tipAmount: payment.tipAmount,
    scanCode: payment.scanCode,
    scanCodeReference: payment.scanCodeReference,
    userReference: payment.userReference,
    statementReference: payment.statementReference,
    requiredAmount: payment.requiredAmount,
    merchantReference: payment.merchantReference,
    authCode: payment.authCode,
    deviceSerialNumber: payment.deviceSerialNumber,
    transactionType: 'payment' as const,
    extra: payment.extra,
  }
}
