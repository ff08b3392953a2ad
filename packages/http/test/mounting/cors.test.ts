import { merchantApi } from '@tillkit/http'
import { expect, test } from 'vitest'
import { openTill, send, untouchable } from '../fixture.ts'

const origin = 'https://shop.example.com'
const { till, apiKey } = await openTill()

test('every response, errors too, is readable from any origin', async () => {
  const api = merchantApi(till, { rateLimits: false })
  const responses = await Promise.all([
    send(api, '/payments', { apiKey, headers: { origin } }),
    send(api, '/payments', { apiKey }),
    send(api, '/payments', { headers: { origin } }),
    send(api, '/payments?page=x', { apiKey, headers: { origin } }),
    send(api, '/nothing', { apiKey, headers: { origin } }),
    send(api, '/payments', { apiKey, method: 'DELETE', headers: { origin } }),
  ])
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 401, 400, 404, 405])
  for (const { headers } of responses) {
    expect(headers['Access-Control-Allow-Origin']).toBe('*')
    expect(headers['Access-Control-Allow-Credentials']).toBeUndefined()
    expect(headers['Access-Control-Expose-Headers']?.split(', ').sort()).toEqual([
      'RateLimit',
      'RateLimit-Policy',
      'Retry-After',
      'X-Next-Page',
      'X-Offset',
      'X-Page',
      'X-Per-Page',
      'X-Prev-Page',
      'X-Request-Id',
      'X-Total',
      'X-Total-Pages',
    ])
  }
})

const ask = (headers: Record<string, string>) => ({ method: 'OPTIONS', headers })

test('a preflight is answered before authentication', async () => {
  const response = await send(
    merchantApi(untouchable),
    '/cash_ups',
    ask({
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization, x-trace,idempotency-key',
    }),
  )
  expect(response).toMatchObject({ status: 204, body: null })
  expect(response.headers).toMatchObject({
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Methods': 'GET, HEAD, POST',
    'Access-Control-Allow-Headers': 'Authorization, Content-Type, Idempotency-Key, x-trace',
  })
  expect(response.headers['Access-Control-Max-Age']).toBe('7200')
  expect(response.headers['Access-Control-Allow-Credentials']).toBeUndefined()
})

test('what is asked for and is no header name is not repeated', async () => {
  const headers = {
    origin,
    'access-control-request-method': 'GET',
    'access-control-request-headers': 'a\r\nb: c, é',
  }
  const response = await send(merchantApi(untouchable), '/payments', ask(headers))
  expect(response.headers['Access-Control-Allow-Headers']).toBe(
    'Authorization, Content-Type, Idempotency-Key',
  )
})

test.each([{ origin }, { 'access-control-request-method': 'GET' }, {}])(
  'OPTIONS with %j alone is no preflight',
  async headers => {
    const api = merchantApi(till, { rateLimits: false })
    expect((await send(api, '/payments', ask(headers as Record<string, string>))).status).toBe(401)
    const known = await send(api, '/payments', { method: 'OPTIONS', apiKey, headers })
    expect(known).toMatchObject({ status: 405, headers: { Allow: 'GET, HEAD' } })
  },
)

test('origins narrow it, and every response varies by origin', async () => {
  const api = merchantApi(till, { cors: { origins: [origin, 'http://localhost:5173'] }, rateLimits: false })
  const allowedAt = async (from?: string) => {
    const { headers } = await send(api, '/payments', { apiKey, headers: { origin: from } })
    expect(headers.Vary).toBe('Origin')
    return headers['Access-Control-Allow-Origin']
  }
  expect(await allowedAt(origin)).toBe(origin)
  expect(await allowedAt('http://localhost:5173')).toBe('http://localhost:5173')
  for (const other of [
    'https://evil.example',
    `${origin}.evil.example`,
    'http://shop.example.com',
    'null',
    undefined,
  ]) {
    expect(await allowedAt(other)).toBeUndefined()
  }
  const refused = await send(
    api,
    '/payments',
    ask({ origin: 'https://evil.example', 'access-control-request-method': 'GET' }),
  )
  expect(refused.status).toBe(204)
  expect(refused.headers).toMatchObject({ Vary: 'Origin' })
  expect(refused.headers['Access-Control-Allow-Origin']).toBeUndefined()
})
