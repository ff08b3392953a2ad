import { type Merchant, newPayment, type ScanCode, startPayment, TillError, validate } from '@tillkit/domain'
import { expect, test } from 'vitest'
import { aNewPayment } from './a-payment.ts'

const scanCode: ScanCode = {
  code: 'till-1',
  merchantId: 'shop-1',
  reference: 'Counter',
  createdAt: '',
  suspendedAt: null,
}

function merchantWith(features: Partial<Merchant['features']>): Merchant {
  const off = { tips: false, userReferences: false, deviceLists: false }
  return {
    id: 'shop-1',
    name: 'Shop',
    webhookUrl: null,
    features: { ...off, ...features },
    createdAt: '',
    suspendedAt: null,
  }
}

function recorded(input: object, features: Partial<Merchant['features']> = {}) {
  const read = validate(startPayment, { scanCode: 'till-1', totalAmount: 1250, ...input }, 'a payment')
  return newPayment(read, merchantWith(features), scanCode, () => '000042')
}

test('what is not given is null, false or empty', () => {
  const expected = aNewPayment({ scanCodeReference: 'Counter' })
  expect(recorded({})).toEqual(expected)
  const nulls = {
    ...{ tipAmount: null, userReference: null, merchantReference: null, requiredAmount: null, strict: null },
    ...{
      extra: null,
      isVoucher: null,
      isVoucherRedemption: null,
      deviceSerialNumber: null,
      attemptKey: null,
    },
  }
  expect(recorded(nulls)).toEqual(expected)
})

test('what is given is recorded', () => {
  const given = {
    ...{ totalAmount: 900, tipAmount: 100, userReference: 'Table 4', merchantReference: 'order-1' },
    ...{ requiredAmount: 800, strict: true, extra: { waiter: 'Ann' }, isVoucher: true },
    ...{ isVoucherRedemption: true, deviceSerialNumber: 'SN-1', attemptKey: 'k' },
  }
  const all = { ...given, scanCodeReference: 'Counter', authCode: '000042' }
  expect(recorded(given, { tips: true, userReferences: true })).toEqual(aNewPayment(all))
})

test('tips and user references are recorded where the merchant has them', () => {
  const given = { tipAmount: 100, userReference: 'Table 4' }
  expect(recorded(given)).toMatchObject({ tipAmount: null, userReference: null })
  expect(recorded(given, { tips: true })).toMatchObject({ tipAmount: 100, userReference: null })
  expect(recorded(given, { userReferences: true })).toMatchObject({
    tipAmount: null,
    userReference: 'Table 4',
  })
  expect(recorded({}, { tips: true, userReferences: true })).toMatchObject({
    tipAmount: 0,
    userReference: null,
  })
})

test('an auth code needs a required amount and a merchant reference', () => {
  expect(recorded({ requiredAmount: 0, merchantReference: '' }).authCode).toBe('000042')
  expect(recorded({ requiredAmount: 100 }).authCode).toBe(null)
  expect(recorded({ merchantReference: 'order-1' }).authCode).toBe(null)
  expect(recorded({ strict: true }).authCode).toBe(null)
})

test('a tip is part of the total', () => {
  expect(recorded({ totalAmount: 5, tipAmount: 5 }, { tips: true }).tipAmount).toBe(5)
  for (const features of [{ tips: true }, {}]) {
    expect(() => recorded({ totalAmount: 5, tipAmount: 6 }, features)).toThrow(TillError)
    expect(() => recorded({ totalAmount: 5, tipAmount: 6 }, features)).toThrow(/^tipAmount must not be more/)
  }
})

test.each([
  [{ totalAmount: undefined }, 'totalAmount must be an integer from 0 to 9007199254740991'],
  [{ totalAmount: -1 }, 'totalAmount must be an integer from 0'],
  [{ totalAmount: 0.5 }, 'totalAmount must be an integer from 0'],
  [{ totalAmount: 2 ** 53 }, 'totalAmount must be an integer from 0'],
  [{ totalAmount: '100' }, 'totalAmount must be an integer from 0'],
  [{ tipAmount: -1 }, 'tipAmount must be an integer from 0'],
  [{ requiredAmount: Number.NaN }, 'requiredAmount must be an integer from 0'],
  [{ scanCode: undefined }, 'scanCode must be a string'],
  [{ scanCode: 7 }, 'scanCode must be a string'],
  [{ merchantReference: 'x'.repeat(256) }, 'merchantReference must be text of at most 255 characters'],
  [{ merchantReference: 7 }, 'merchantReference must be text'],
  [{ userReference: 'a\0b' }, 'userReference must be text'],
  [{ deviceSerialNumber: '\ud800' }, 'deviceSerialNumber must be text'],
  [{ attemptKey: '' }, 'attemptKey must be text of 1 to 255 characters'],
  [{ strict: 'true' }, 'strict must be a boolean'],
  [{ isVoucher: 1 }, 'isVoucher must be a boolean'],
  [{ amount: 100 }, 'amount is not a known name of a payment'],
])('%j is refused by name', (input, message) => {
  expect(() => recorded(input)).toThrow(message)
})
