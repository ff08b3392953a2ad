import {
  deliveryRange,
  merchantRange,
  newCashUp,
  newMerchant,
  newScanCode,
  paymentFilter,
  paymentKey,
  settlement,
  TillError,
  validate,
} from '@tillkit/domain'
import { expect, test } from 'vitest'

test.each([
  [newMerchant, {}, 'name must be text of 1 to 255 characters without NUL'],
  [newMerchant, { name: '' }, 'name must be text of 1 to 255 characters without NUL'],
  [newMerchant, { name: 'Shop', id: 'a b' }, 'id must be 1 to 64 of A-Za-z0-9_.:-'],
  [newMerchant, { name: 'Shop', id: 'x\n' }, 'id must be 1 to 64 of A-Za-z0-9_.:-'],
  [
    newMerchant,
    { name: 'Shop', webhookUrl: 'ftp://shop.example' },
    'webhookUrl must be an http or https URL',
  ],
  [
    newMerchant,
    { name: 'Shop', webhookUrl: 'https://me:secret@shop.example' },
    'webhookUrl must be an http or',
  ],
  [newMerchant, { name: 'Shop', features: { tips: 1 } }, 'features.tips must be a boolean'],
  [newMerchant, { name: 'Shop', features: { tip: true } }, 'features.tip is not a known name of the input'],
  [newMerchant, { name: 'Shop', nmae: 'Shop' }, 'nmae is not a known name of the input'],
  [newMerchant, undefined, 'the input must be an object'],
  [newMerchant, null, 'the input must be an object'],
  [newMerchant, 'shop', 'the input must be an object'],
  [merchantRange, { limit: 0 }, 'limit must be an integer from 1 to 1000'],
  [merchantRange, { limit: 1001 }, 'limit must be an integer from 1 to 1000'],
  [newScanCode, { code: 'a.b' }, 'code must be 1 to 64 of A-Za-z0-9_-'],
  [newScanCode, { code: 'x'.repeat(65) }, 'code must be 1 to 64 of A-Za-z0-9_-'],
  [newScanCode, { code: '' }, 'code must be 1 to 64 of A-Za-z0-9_-'],
  [newCashUp, { idempotencyKey: '' }, 'idempotencyKey must be text of 1 to 255 characters without NUL'],
  [paymentKey, { merchantId: 'shop-1', id: 0 }, 'id must be a positive integer'],
  [paymentKey, { merchantId: 'shop-1', id: 1.5 }, 'id must be an integer'],
  [paymentKey, { id: 1 }, 'merchantId must be 1 to 64 of'],
  [settlement, { statementReference: '', paymentIds: [] }, 'statementReference must be text of 1 to 255'],
  [settlement, { statementReference: 'BANK-1', paymentIds: 1 }, 'paymentIds must be an array'],
  [
    settlement,
    { statementReference: 'BANK-1', paymentIds: [1, 0] },
    'paymentIds.1 must be a positive integer',
  ],
  [deliveryRange, { state: 'lost' }, 'state must be one of pending, delivered, exhausted'],
  [
    paymentFilter,
    { startDate: 'soon' },
    'startDate must be an ISO 8601 date-time with Z or an offset (+01:00)',
  ],
  [
    paymentFilter,
    { endDate: '2026-11-20' },
    'endDate must be an ISO 8601 date-time with Z or an offset (+01:00)',
  ],
  [paymentFilter, { status: [] }, 'status must not be empty'],
  [paymentFilter, { merchantReference: '' }, 'merchantReference must not be empty'],
  [paymentFilter, { reference: 'a' }, 'reference is not a known name of the input'],
])('%# names what is wrong: %j', (schema, input, message) => {
  const work = () => validate<unknown>(schema, input, 'the input')
  expect(work).toThrow(TillError)
  expect(work).toThrow(expect.objectContaining({ code: 'invalid_input' }))
  expect(work).toThrow(message)
})

test('what cannot be read is said, wherever in the input it is', () => {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  for (const input of [proxy, { status: proxy }, { reference: proxy }, { merchantReference: proxy }]) {
    expect(() => validate(paymentFilter, input, 'a filter')).toThrow(TillError)
  }
  expect(() => validate(paymentFilter, { merchantReference: proxy }, 'a filter')).toThrow(
    'a filter cannot be read',
  )
})

test('an unknown status is named by its parameter', () => {
  const work = () => validate(paymentFilter, { status: ['completed', 'paid'] }, 'a filter')
  expect(work).toThrow(/^status.* must be of pending, completed, error$/)
})

test('what is right comes back in the store’s terms', () => {
  const given = { startDate: '2026-11-20T11:30:00.5+02:00', status: ['error', 'pending'], scanCode: 'till-1' }
  expect(validate(paymentFilter, given, 'a filter')).toEqual({ ...given, startDate: '2026-11-20T09:30:01Z' })
  expect(validate(paymentFilter, {}, 'a filter')).toEqual({})
  const payment = { merchantId: 'shop-1', id: 7, status: 'pending' }
  expect(validate(paymentKey, payment, 'a payment')).toEqual({ merchantId: 'shop-1', id: 7 })
})
