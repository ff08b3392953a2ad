import { merchantApi } from '@tillkit/http'
import { expect, test, vi } from 'vitest'
import { openTill, parsed, send } from '../fixture.ts'

async function open(features = {}) {
  const opened = await openTill(features)
  const api = merchantApi(opened.till, { rateLimits: false })
  const { apiKey } = opened
  const get = (target: string) => send(api, target, { apiKey })
  const post = (headers = {}) => send(api, '/cash_ups', { apiKey, headers, method: 'POST' })
  return { ...opened, get, post }
}

test('a cash up is its date and its reference, and listed newest first', async () => {
  const { get, post } = await open()
  const [first, second] = [await post(), await post()]
  expect(first.status).toBe(200)
  expect(Object.keys(parsed(first))).toEqual(['date', 'reference'])
  expect(parsed(first)).toEqual({
    date: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    reference: expect.stringMatching(/^[0-9a-f]{32}$/),
  })
  expect(await get('/cash_ups')).toMatchObject({
    status: 200,
    body: JSON.stringify([parsed(second), parsed(first)]),
    headers: { 'X-Total': '2' },
  })
})

test('whatever else a store hands over with a cash up, no more is told of it', async () => {
  const { get, post, till } = await open()
  const more = { date: '2026-11-20T18:00:00Z', reference: 'f0'.padStart(32, '0'), merchantId: 'shop' }
  vi.spyOn(till.cashUps, 'create').mockResolvedValue(more)
  vi.spyOn(till.cashUps, 'list').mockResolvedValue({ items: [more], total: 1 })
  const told = { date: more.date, reference: more.reference }
  expect([parsed(await post()), parsed(await get('/cash_ups'))]).toEqual([told, [told]])
})

test('the same Idempotency-Key returns the same cash up', async () => {
  const { get, post } = await open()
  const key = 'k'.repeat(255)
  const once = await post({ 'idempotency-key': key })
  expect((await post({ 'idempotency-key': key })).body).toBe(once.body)
  expect((await post({ 'idempotency-key': 'other' })).body).not.toBe(once.body)
  expect((await get('/cash_ups')).headers['X-Total']).toBe('2')
})

test.each(['', 'k'.repeat(256)])('an Idempotency-Key of another length is 400', async key => {
  const { get, post } = await open()
  const response = await post({ 'idempotency-key': key })
  expect(response.status).toBe(400)
  expect(parsed(response).message).toContain('Idempotency-Key is not valid')
  expect((await get('/cash_ups')).headers['X-Total']).toBe('0')
})

test('an Idempotency-Key beyond ASCII is its bytes, as servers read headers: the one of a version before is found', async () => {
  const { get, post, till, merchant } = await open()
  const asRead = (text: string) => Buffer.from(text, 'utf8').toString('latin1')
  const { reference } = await till.cashUps.create(merchant.id, { idempotencyKey: 'CafÃ©' })
  expect(parsed(await post({ 'idempotency-key': asRead('Café') })).reference).toBe(reference)
  expect((await post({ 'idempotency-key': asRead(`${'é'.repeat(127)}e`) })).status).toBe(200)
  const tooLong = await post({ 'idempotency-key': asRead('é'.repeat(128)) })
  expect([tooLong.status, parsed(tooLong).message]).toEqual([400, expect.stringContaining('bytes')])
  expect((await get('/cash_ups')).headers['X-Total']).toBe('2')
})

test('the payments of a period are those that completed, the latest first', async () => {
  const { get, post, pay } = await open()
  await pay({}, 'completed')
  await pay({}, 'error')
  await pay({}, 'completed')
  const { reference } = parsed(await post())
  await pay({}, 'completed')
  const response = await get(`/payments/cash_ups/${reference}`)
  expect(response.headers['X-Total']).toBe('2')
  expect(parsed(response).map(({ id }: { id: number }) => id)).toEqual([3, 1])
  expect(Object.keys(parsed(response)[0])).toHaveLength(15)
})

test('device lists show the device here too', async () => {
  const { get, post, pay } = await open({ deviceLists: true })
  await pay({ deviceSerialNumber: 'D-9' }, 'completed')
  const { reference } = parsed(await post())
  const [payment] = parsed(await get(`/payments/cash_ups/${reference}`))
  expect(payment).toMatchObject({ deviceSerialNumber: 'D-9', transactionType: 'payment' })
  expect(payment).not.toHaveProperty('isVoucherRedemption')
})

test('a period with a pending payment is 500, to be tried again', async () => {
  const { get, post, pay, till } = await open()
  const pending = await pay()
  const { reference } = parsed(await post())
  const response = await get(`/payments/cash_ups/${reference}`)
  expect(response).toMatchObject({ status: 500, headers: { 'Retry-After': '2' } })
  expect(parsed(response).message).toMatch(/not ready.*try again shortly/i)
  await till.payments.complete(pending)
  expect((await get(`/payments/cash_ups/${reference}`)).status).toBe(200)
})

test.each(['0', 'f'.repeat(32), 'x', '%00', 'f'.repeat(33), '%27', 'A'.repeat(32)])(
  'the unknown reference %s is 404',
  async reference => {
    const { get, post } = await open()
    await post()
    const response = await get(`/payments/cash_ups/${reference}`)
    expect(response.status).toBe(404)
    expect(parsed(response)).toEqual({ message: expect.any(String), code: 'not_found' })
  },
)

test('an unknown reference of any length and characters is named in whole characters', async () => {
  const { get } = await open()
  const response = await get(`/payments/cash_ups/x${encodeURIComponent('💶'.repeat(60))}`)
  expect(response.status).toBe(404)
  expect(parsed(response).message).toBe(`cash up x${'💶'.repeat(49)}… is unknown`)
})

test("another merchant's reference is 404", async () => {
  const { post, till } = await open()
  const { reference } = parsed(await post())
  const other = await till.merchants.create({ name: 'Other' })
  const { apiKey } = await till.apiKeys.issue(other.id)
  expect((await send(merchantApi(till), `/payments/cash_ups/${reference}`, { apiKey })).status).toBe(404)
})
