import type { Payment } from '@tillkit/till'
import fc from 'fast-check'

export function aPayment(fields: Partial<Payment> = {}): Payment {
  return {
    merchantId: 'shop',
    id: 1,
    status: 'completed',
    date: '2026-11-20T09:30:00Z',
    totalAmount: 1250,
    tipAmount: null,
    scanCode: 'till-1',
    scanCodeReference: null,
    userReference: null,
    statementReference: null,
    isVoucher: false,
    isVoucherRedemption: true,
    requiredAmount: null,
    merchantReference: null,
    authCode: '012345',
    deviceSerialNumber: null,
    strict: false,
    failure: null,
    extra: {},
    ...fields,
  }
}

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({
    unit: fc.constantFrom(',', ';', '"', "'", '\n', '\r', '\t', '=', '+', '-', '@', 'a', ' ', '\\'),
  }),
)
const maybe = fc.option(text)
const amount = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER })

/** Any payment at all. */
export const anyPayment = fc
  .record({
    id: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    totalAmount: amount,
    tipAmount: fc.option(amount),
    scanCode: text,
    scanCodeReference: maybe,
    userReference: maybe,
    merchantReference: maybe,
    failure: maybe,
    isVoucher: fc.boolean(),
    strict: fc.boolean(),
    extra: fc.dictionary(text, text, { maxKeys: 3 }),
  })
  .map(aPayment)
