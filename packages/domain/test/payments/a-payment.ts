import type { NewPayment, Payment } from '@tillkit/domain'

/** A payment before its store has it. */
export function aNewPayment(fields: Partial<NewPayment> = {}): NewPayment {
  return {
    merchantId: 'shop-1',
    totalAmount: 1250,
    tipAmount: null,
    scanCode: 'till-1',
    scanCodeReference: null,
    userReference: null,
    isVoucher: false,
    isVoucherRedemption: false,
    requiredAmount: null,
    merchantReference: null,
    authCode: null,
    deviceSerialNumber: null,
    strict: false,
    extra: {},
    attemptKey: null,
    ...fields,
  }
}

/** A payment as its store gives it back. */
export function aPayment(fields: Partial<Payment> = {}): Payment {
  const { attemptKey: _, ...recorded } = aNewPayment()
  return {
    ...recorded,
    id: 7,
    status: 'pending',
    date: '2026-11-20T09:30:00Z',
    statementReference: null,
    failure: null,
    ...fields,
  }
}
