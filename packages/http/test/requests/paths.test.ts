import { merchantApi } from '@tillkit/http'
import { expect, test } from 'vitest'
import { openTill, parsed, send } from '../fixture.ts'

const { till, apiKey, merchant, pay } = await openTill()
const api = merchantApi(till, { rateLimits: false })
await pay({}, 'completed')
const { reference } = await till.cashUps.create(merchant.id)

const resources = ['/payments', '/payments/1', `/payments/cash_ups/${reference}`, '/cash_ups']

test.each(resources)('%s: a slash at the end is fine', async path => {
  expect((await send(api, `${path}/`, { apiKey })).body).toBe((await send(api, path, { apiKey })).body)
  expect((await send(api, `${path}//`, { apiKey })).status).toBe(404)
})

test.each(resources)('%s: HEAD is GET without the body', async path => {
  const headers = { 'x-request-id': 'one' }
  const get = await send(api, path, { apiKey, headers })
  const head = await send(api, path, { apiKey, headers, method: 'HEAD' })
  expect(get.status).toBe(200)
  expect(head).toEqual({ ...get, body: null, headers: { ...get.headers, RateLimit: head.headers.RateLimit } })
  expect(head.headers['Content-Length']).toBe(String(Buffer.byteLength((get.body ?? '') as string)))
})

test('HEAD of an error is the error without the body', async () => {
  for (const [target, key, status] of [
    ['/payments', 'x', 401],
    ['/payments/2', apiKey, 404],
    ['/payments?page=0', apiKey, 400],
  ] as const) {
    const head = await send(api, target, { apiKey: key, method: 'HEAD' })
    expect([head.status, head.body]).toEqual([status, null])
    expect(Number(head.headers['Content-Length'])).toBeGreaterThan(0)
  }
})

test.each([
  ['/payments', 'GET, HEAD'],
  ['/payments/1', 'GET, HEAD'],
  ['/payments/x', 'GET, HEAD'],
  ['/payments/cash_ups', 'GET, HEAD'],
  [`/payments/cash_ups/${reference}`, 'GET, HEAD'],
  ['/cash_ups', 'GET, HEAD, POST'],
])('%s: other methods are 405 and Allow says %s', async (path, allow) => {
  const methods = [
    'PUT',
    'PATCH',
    'DELETE',
    'TRACE',
    'get',
    'constructor',
    ...(allow.includes('POST') ? [] : ['POST']),
  ]
  for (const method of methods) {
    const response = await send(api, path, { apiKey, method })
    expect([response.status, response.headers.Allow]).toEqual([405, allow])
    expect(parsed(response)).toEqual({ message: expect.any(String), code: 'method_not_allowed' })
  }
})

test.each([
  ...[
    '/',
    '//',
    '//payments',
    '/payments//1',
    '/Payments',
    '/payment',
    '/payments/1/2',
    '/cash_ups/1',
    '/v1/payments',
  ],
  ...[
    '/payments/cash_ups/',
    `/payments/cash_ups/${reference}/1`,
    '/payments%2F1',
    '/payments%3Fpage=1',
    '/./payments',
  ],
  ...['/payments/%', '/payments/%zz', '/payments/%ff', '/%E0%A4/1', '/payments/../payments', '/payments;x=1'],
])('%s is 404', async path => {
  const response = await send(api, path, { apiKey })
  expect(response.status).toBe(404)
  expect(parsed(response)).toEqual({ message: expect.any(String), code: 'not_found' })
})

test('segments are decoded, once', async () => {
  expect((await send(api, '/%70ayments/%31', { apiKey })).status).toBe(200)
  expect((await send(api, '/payments/%2531', { apiKey })).status).toBe(404)
})
