import { type HttpRequest, MAX_BODY_BYTES, merchantApi, qrEndpoints, toFetch } from '@tillkit/http'
import { describe, expect, test, vi } from 'vitest'
import { basic, openTill } from '../fixture.ts'

const { till, apiKey, code, pay } = await openTill()
await pay({}, 'completed')
const fetch = toFetch({
  '/v1': merchantApi(till),
  '/qr': qrEndpoints(till, { qrBaseUrl: 'https://pay.example.com' }),
})
const authorization = basic(apiKey)

test('a Request in, a Response out', async () => {
  const response = await fetch(
    new Request('https://pay.example.com/v1/payments?perPage=1#x', { headers: { authorization } }),
  )
  expect(response.status).toBe(200)
  expect(response.headers.get('X-Per-Page')).toBe('1')
  expect(await response.json()).toMatchObject([{ id: 1 }])
})

test('bytes, 204, 304 and HEAD', async () => {
  const url = `https://pay.example.com/qr/${code}.png`
  const png = await fetch(new Request(url))
  expect(new Uint8Array(await png.arrayBuffer()).slice(1, 4)).toEqual(new TextEncoder().encode('PNG'))
  const again = await fetch(new Request(url, { headers: { 'If-None-Match': png.headers.get('ETag') ?? '' } }))
  expect([again.status, again.body]).toEqual([304, null])
  const head = await fetch(new Request(url, { method: 'HEAD' }))
  expect([head.status, head.body, head.headers.get('Content-Length')]).toEqual([
    200,
    null,
    png.headers.get('Content-Length'),
  ])
})

test('HEAD gets no body either where nothing is mounted, or a handler fails', async () => {
  const head = { method: 'HEAD' }
  const nowhere = await fetch(new Request('https://pay.example.com/nowhere', head))
  expect([nowhere.status, nowhere.body, nowhere.headers.get('Content-Length')]).toEqual([404, null, '42'])
  const broken = toFetch(() => Promise.reject(new Error('broken')), { logger: false })
  const failed = await broken(new Request('https://pay.example.com/', head))
  expect([failed.status, failed.body]).toEqual([500, null])
})

test('plain HTTP is refused unless the host knows better', async () => {
  const request = () => new Request('http://pay.example.com/v1/payments', { headers: { authorization } })
  expect((await fetch(request())).status).toBe(403)
  expect((await fetch(request(), { secure: true })).status).toBe(200)
  const forged = new Request(request(), { headers: { authorization, 'X-Forwarded-Proto': 'https' } })
  expect((await fetch(forged)).status).toBe(403)
})

test.each(['/', '/v10/payments', '/V1/payments', '/v', '/v1x'])('%s is not mounted', async path => {
  const response = await fetch(new Request(`https://pay.example.com${path}`))
  expect([response.status, await response.json()]).toEqual([404, { message: 'Not found', code: 'not_found' }])
})

describe('what the handler gets', () => {
  const echo = vi.fn(async (request: HttpRequest) => ({
    status: 200,
    headers: {},
    body: await request.body(),
  }))
  const listen = toFetch(echo)

  test('the raw path and query, headers, address and body', async () => {
    const response = await listen(
      new Request('https://pay.example.com/%70ay%2F/x?a=%zz&b=+', {
        method: 'POST',
        headers: { 'X-A': '1' },
        body: 'Grüße',
      }),
      { remoteAddress: '203.0.113.7' },
    )
    expect(await response.text()).toBe('Grüße')
    expect(echo.mock.lastCall?.[0]).toMatchObject({
      method: 'POST',
      path: '/%70ay%2F/x',
      query: 'a=%zz&b=+',
      headers: { 'x-a': '1' },
      secure: true,
      remoteAddress: '203.0.113.7',
    })
  })

  test('no address when the second argument is something else', async () => {
    await listen(new Request('https://pay.example.com'), { remoteAddress: {}, secure: 'no' } as never)
    expect(echo.mock.lastCall?.[0]).toMatchObject({
      path: '/',
      query: '',
      secure: true,
      remoteAddress: undefined,
    })
  })

  test('a body up to the limit', async () => {
    const post = (size: number) =>
      listen(new Request('https://pay.example.com', { method: 'POST', body: new Uint8Array(size) }))
    expect((await (await post(MAX_BODY_BYTES)).arrayBuffer()).byteLength).toBe(MAX_BODY_BYTES)
    expect((await post(MAX_BODY_BYTES + 1)).status).toBe(500)
  })
})

test('a body in pieces is made as it is read, and its end is heard of where nobody reads on', async () => {
  const heard: string[] = []
  async function* body() {
    try {
      for (const piece of ['one', 'two', 'three']) {
        heard.push(piece)
        yield piece
      }
    } finally {
      heard.push('end')
    }
  }
  const listen = toFetch(async () => ({ status: 200, headers: {}, body: body() }))
  const response = await listen(new Request('https://pay.example.com'))
  await new Promise(resolve => setImmediate(resolve))
  expect(heard).toEqual([])
  const reader = response.body?.getReader()
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('one')
  expect(heard).toEqual(['one'])
  await reader?.cancel()
  expect(heard).toEqual(['one', 'end'])
})

test('a handler that throws is masked', async () => {
  const response = await toFetch(() => Promise.reject(new Error('hunter2')))(
    new Request('https://pay.example.com'),
  )
  expect([response.status, await response.json()]).toEqual([
    500,
    { message: 'Internal server error', code: 'internal' },
  ])
})

test('its logger hears of it, and of no header', async () => {
  const error = vi.fn()
  const thrown = new Error('hunter2')
  const listen = toFetch({ '/v1': () => Promise.reject(thrown) }, { logger: { error } })
  await listen(new Request('https://pay.example.com/v1/x', { headers: { authorization } }))
  expect(error).toHaveBeenCalledExactlyOnceWith(
    { requestId: expect.any(String), err: thrown, method: 'GET', path: '/v1/x' },
    'request failed',
  )
})

test('a wrong option does not compile, and is refused at once', () => {
  const handler = async () => ({ status: 200, headers: {}, body: null })
  // @ts-expect-error a logger has error
  expect(() => toFetch(handler, { logger: {} })).toThrowError(/logger must be a logger/)
  // @ts-expect-error what a proxy says is for the host to know: it passes `secure` and `remoteAddress`
  expect(() => toFetch(handler, { trustProxy: true })).toThrowError(/trustProxy is not a known name/)
  // @ts-expect-error a path starts with a slash, a handler is a function
  expect(() => toFetch({ v1: 5 })).toThrowError(/v1/)
})
