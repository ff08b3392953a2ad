import { type Payment, wireDate } from '@tillkit/domain'

/**
 * A payment that was never made, for a test delivery. No receiver can take it for one: real ids start at 1, this one is
 * 0, of an amount of 0, and says `test` in `extra`.
 */
export function testPayment(merchantId: string, at: Date): Payment {
  return {
    merchantId,
    id: 0,
    status: 'completed',
    date: wireDate(at),
    totalAmount: 0,
    tipAmount: null,
    scanCode: 'test',
    scanCodeReference: null,
    userReference: null,
    statementReference: null,
    isVoucher: false,
    isVoucherRedemption: false,
    requiredAmount: null,
    merchantReference: null,
    authCode: null,
    deviceSerialNumber: null,
    strict: false,
    failure: null,
    extra: { test: 'true' },
  }
}
