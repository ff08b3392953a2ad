import type { Payment } from './payment.ts'

/** The fields that every payment object has. */
type Shown = Pick<
  Payment,
  | 'id'
  | 'status'
  | 'date'
  | 'totalAmount'
  | 'tipAmount'
  | 'scanCode'
  | 'scanCodeReference'
  | 'userReference'
  | 'statementReference'
  | 'requiredAmount'
  | 'merchantReference'
  | 'authCode'
  | 'extra'
>

/** A payment on the wire (API 2.1). Amounts are in cents; what is not defined is null. */
export interface PaymentObject extends Shown, Pick<Payment, 'isVoucher' | 'isVoucherRedemption'> {}

/** A payment on the wire in the lists of a merchant with the feature `deviceLists` (API 2.1). */
export interface DevicePaymentObject extends Shown, Pick<Payment, 'deviceSerialNumber'> {
  /** Always `payment`. */
  transactionType: 'payment'
}

/** A payment as one payment by id, webhooks and most lists show it: fifteen keys, in this order (API 2.1). */
export function paymentObject(payment: Payment): PaymentObject {
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
export function devicePaymentObject(payment: Payment): DevicePaymentObject {
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
    transactionType: 'payment',
    extra: payment.extra,
  }
}
