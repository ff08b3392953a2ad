import { merchantApi, qrEndpoints, RequestError, toFetch } from '@tillkit/http'
import { expect, test, vi } from 'vitest'
import { basic, openTill, parsed, send } from '../fixture.ts'

const { till, apiKey, code } = await openTill()
const api = merchantApi(till, { rateLimits: false })
const onScan = vi.fn(() => ({ status: 200, headers: {}, body: 'page' }))
const qr = qrEndpoints(till, { qrBaseUrl: 'https://pay.example.com', rateLimits: false, onScan })
const MILLION = 1_000_000

const everywhere = async (query: string) => [
  await send(api, `/payments?${query}`, { apiKey }),
  await send(api, `/cash_ups?${query}`, { apiKey }),
  await send(qr, `/${code}?${query}`),
  await send(qr, `/${code}.svg?${query}`),
  await send(qr, `/${code}.png?${query}`),
]

test.each([
  'x'.repeat(8193),
  `a=${'%41'.repeat(3000)}`,
  'a&'.repeat(MILLION),
  `status=${',error'.repeat(9000)}`,
])('a query above 8 KiB is 414', async query => {
  onScan.mockClear()
  for (const response of await everywhere(query)) {
    expect([response.status, parsed(response).code]).toEqual([414, 'invalid_parameter'])
  }
  expect(onScan).not.toHaveBeenCalled()
})

test.each(['a&'.repeat(100), '&'.repeat(100), 'a=1&'.repeat(100), 'page=1&'.repeat(1000)])(
  'a query of more than 100 pairs is 400',
  async query => {
    onScan.mockClear()
    for (const response of await everywhere(query)) {
      expect([response.status, parsed(response)]).toEqual([
        400,
        { message: 'the query must not have more than 100 parameters', code: 'invalid_parameter' },
      ])
    }
    expect(onScan).not.toHaveBeenCalled()
  },
)

test('what is within both is read', async () => {
  expect((await send(api, `/payments?${'a=1&'.repeat(99)}page=1`, { apiKey })).status).toBe(200)
  expect((await send(api, `/payments?x=${'y'.repeat(8190)}`, { apiKey })).status).toBe(200)
  expect((await send(qr, `/${code}?${'a=1&'.repeat(99)}b=1`)).status).toBe(200)
})

test('a path above 8 KiB is 414, one of 8 KiB is read', async () => {
  const longest = '/payments/'.padEnd(8192, '1')
  expect((await send(api, longest, { apiKey })).status).toBe(404)
  expect((await send(api, `${longest}1`, { apiKey })).status).toBe(414)
})

test.each([
  [408, 'close'],
  [413, undefined],
] as const)(
  'a body that is refused with %i is answered with the connection %s',
  async (status, connection) => {
    onScan.mockImplementationOnce(() => {
      throw new RequestError(status, 'the body')
    })
    const response = await send(qr, `/${code}`)
    expect([response.status, response.headers.Connection]).toEqual([status, connection])
  },
)

test('whoever is not authenticated learns nothing of that', async () => {
  expect((await send(api, `/payments?${'a&'.repeat(MILLION)}`)).status).toBe(401)
})

test('through fetch, where no server bounds what is sent, everything is bounded too', async () => {
  const fetch = toFetch({ '/v1': api, '/qr': qr })
  const ask = async (path: string, headers: Record<string, string> = {}, init: RequestInit = {}) =>
    fetch(new Request(`https://pay.example.com${path}`, { headers, ...init }))
  const authorization = basic(apiKey)
  const long = 'x'.repeat(MILLION)

  expect((await ask(`/v1/${'/'.repeat(MILLION)}`, { authorization })).status).toBe(414)
  expect((await ask(`/v1/payments/${'%41'.repeat(MILLION / 3)}`, { authorization })).status).toBe(414)
  expect((await ask(`/qr/${long}.svg`)).status).toBe(414)
  expect((await ask('/v1/payments', { authorization: `Basic ${'QUFB'.repeat(MILLION / 4)}` })).status).toBe(
    401,
  )
  expect((await ask('/v1/payments', { authorization: basic(long) })).status).toBe(401)
  expect((await ask('/v1/payments', { authorization, 'x-request-id': long })).status).toBe(200)
  const keyed = await ask('/v1/cash_ups', { authorization, 'idempotency-key': long }, { method: 'POST' })
  expect(keyed.status).toBe(400)
  expect((await ask(`/qr/${code}.svg`, { 'if-none-match': '"x", '.repeat(MILLION / 5) })).status).toBe(200)
  const forwarded = { 'x-forwarded-proto': `${long}https` }
  expect((await fetch(new Request('http://pay.example.com/v1/x', { headers: forwarded }))).status).toBe(403)
})

test('a preflight repeats no more headers than an application has use for', async () => {
  const asking = (names: string) =>
    send(api, '/payments', {
      method: 'OPTIONS',
      headers: {
        origin: 'https://a.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': names,
      },
    })
  const many = Array.from({ length: 1000 }, (_, i) => `x-${i}`).join(',')
  for (const names of [many, 'x'.repeat(MILLION), 'x,'.repeat(MILLION)]) {
    const { status, headers } = await asking(names)
    expect(status).toBe(204)
    expect(headers['Access-Control-Allow-Headers']?.length).toBeLessThan(5000)
    expect(headers['Access-Control-Allow-Headers']?.split(',').length).toBeLessThanOrEqual(53)
  }
  const few = (await asking('x-a,x-b')).headers['Access-Control-Allow-Headers']
  expect(few).toBe('Authorization, Content-Type, Idempotency-Key, x-a, x-b')
})
