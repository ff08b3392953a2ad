import { merchantApi } from '@tillkit/http'
import { expect, test, vi } from 'vitest'
import { openTill, parsed, send } from '../fixture.ts'

test('a payment by its id, the same with device lists', async () => {
  const { till, apiKey, pay } = await openTill({ deviceLists: true })
  await pay({ isVoucher: true, deviceSerialNumber: 'D-9' }, 'completed')
  const response = await send(merchantApi(till), '/payments/1', { apiKey })
  expect(response.status).toBe(200)
  expect(parsed(response)).toMatchObject({ id: 1, status: 'completed', totalAmount: 1250, isVoucher: true })
  expect(Object.keys(parsed(response))).toHaveLength(15)
})

test.each([
  ...[
    '2',
    '0',
    '-1',
    '+1',
    '01',
    '1.0',
    '1e0',
    '0x1',
    '1%20',
    '%201',
    'x',
    '١',
    '9007199254740992',
    '9'.repeat(400),
  ],
  ...['1%00', 'cash_ups', '1,2', 'null', '__proto__'],
])('%s is 404', async id => {
  const { till, apiKey, pay } = await openTill()
  await pay()
  const response = await send(merchantApi(till), `/payments/${id}`, { apiKey })
  expect(response.status).toBe(404)
  expect(parsed(response)).toEqual({ message: expect.any(String), code: 'not_found' })
})

test('ids are looked up as far as they can be told apart', async () => {
  const { till, apiKey, merchant } = await openTill()
  const get = vi.spyOn(till.payments, 'get')
  for (const id of ['9007199254740991', '9007199254740992']) {
    expect((await send(merchantApi(till), `/payments/${id}`, { apiKey })).status).toBe(404)
  }
  expect(get).toHaveBeenCalledExactlyOnceWith(merchant.id, Number.MAX_SAFE_INTEGER)
})

test("another merchant's payment is 404", async () => {
  const { till, pay } = await openTill()
  await pay()
  const other = await till.merchants.create({ name: 'Other' })
  const { apiKey } = await till.apiKeys.issue(other.id)
  expect((await send(merchantApi(till), '/payments/1', { apiKey })).status).toBe(404)
})
