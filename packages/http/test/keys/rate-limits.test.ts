import { merchantApi, qrEndpoints } from '@tillkit/http'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { openTill, parsed, send } from '../fixture.ts'
import { memory, statuses } from './limited.ts'

let opened: Awaited<ReturnType<typeof openTill>>
beforeAll(async () => {
  opened = await openTill()
})

describe('a key', () => {
  test('has its limit, apart from other keys and from its address', async () => {
    const { till, merchant, apiKey } = opened
    const api = merchantApi(till, { rateLimits: { perKey: memory(2) } })
    expect(await statuses(3, () => send(api, '/payments', { apiKey }))).toEqual([200, 200, 429])
    const other = await till.apiKeys.issue(merchant.id)
    expect(await statuses(1, () => send(api, '/payments', { apiKey: other.apiKey }))).toEqual([200])
    expect(await statuses(1, () => send(api, '/payments'))).toEqual([401])
  })

  test('is counted before its path and parameters are looked at', async () => {
    const { till, apiKey } = opened
    const api = merchantApi(till, { rateLimits: { perKey: memory(1) } })
    expect(await statuses(2, () => send(api, '/nothing', { apiKey }))).toEqual([404, 429])
  })

  test('has 100 requests a second by default, told in the headers of the draft', async () => {
    const { headers } = await send(merchantApi(opened.till), '/payments', { apiKey: opened.apiKey })
    expect(headers['RateLimit-Policy']).toBe('"key";q=100;w=1')
    expect(headers.RateLimit).toBe('"key";r=99;t=1')
  })

  test('is told where it stands with what goes wrong, too', async () => {
    const { till, apiKey } = opened
    const api = merchantApi(till, { rateLimits: { perKey: memory(9) } })
    const remaining = []
    for (const target of ['/payments/99', '/payments?page=0', '/nothing']) {
      const { status, headers } = await send(api, target, { apiKey })
      remaining.push([status, headers.RateLimit?.split(';')[1]])
    }
    expect(remaining).toEqual([
      [404, 'r=8'],
      [400, 'r=7'],
      [404, 'r=6'],
    ])
  })

  test('whose limiter has no window is told of none', async () => {
    const perKey = new RateLimiterMemory({ points: 5, duration: 0 })
    const api = merchantApi(opened.till, { rateLimits: { perKey } })
    const { headers } = await send(api, '/payments', { apiKey: opened.apiKey })
    expect([headers['RateLimit-Policy'], headers.RateLimit]).toEqual(['"key";q=5', '"key";r=4'])
  })

  test('is never handed to the limiter', async () => {
    const { till, apiKey } = opened
    const perKey = memory(5)
    const consume = vi.spyOn(perKey, 'consume')
    await send(merchantApi(till, { rateLimits: { perKey } }), '/payments', { apiKey })
    expect(consume).toHaveBeenCalledOnce()
    expect(JSON.stringify(consume.mock.calls)).not.toContain(apiKey)
  })
})

describe('an address', () => {
  test('is told where it stands with each 401, whether there is a wrong key or none', async () => {
    const api = merchantApi(opened.till)
    for (const [asked, remaining] of [
      [{}, 59],
      [{ apiKey: 'tk_wrong' }, 58],
    ] as const) {
      const { status, headers } = await send(api, '/payments', asked)
      expect([status, headers['RateLimit-Policy']]).toEqual([401, '"address";q=60;w=60'])
      expect(headers.RateLimit).toContain(`"address";r=${remaining};`)
    }
  })

  test('is counted by what does not authenticate, and when it is used up no key is looked up', async () => {
    const { till, apiKey } = opened
    const authenticate = vi.fn(till.authenticate)
    const api = merchantApi({ ...till, authenticate }, { rateLimits: { perAddress: memory(2) } })
    expect(await statuses(3, () => send(api, '/payments', { apiKey }))).toEqual([200, 200, 200])
    expect(await statuses(3, () => send(api, '/payments', { apiKey: 'wrong' }))).toEqual([401, 401, 429])
    expect(authenticate).toHaveBeenCalledTimes(5)
    expect(await statuses(1, () => send(api, '/payments', { apiKey }))).toEqual([429])
    expect(authenticate).toHaveBeenCalledTimes(5)
    expect(await statuses(1, () => send(api, '/payments', { apiKey, remoteAddress: '203.0.113.8' }))).toEqual(
      [200],
    )
  })

  test('has 60 a minute by default, and is told when to come back', async () => {
    const api = merchantApi(opened.till)
    const seen = await statuses(60, () => send(api, '/payments'))
    expect(new Set(seen)).toEqual(new Set([401]))
    const response = await send(api, '/payments')
    expect(response.status).toBe(429)
    expect(parsed(response).message).toMatch(/too many requests/i)
    expect(Number(response.headers['Retry-After'])).toBeGreaterThanOrEqual(1)
    expect(Number(response.headers['Retry-After'])).toBeLessThanOrEqual(60)
    expect(response.headers['RateLimit-Policy']).toBe('"address";q=60;w=60')
    expect(response.headers.RateLimit).toMatch(/^"address";r=0;t=\d+$/)
    expect(response.headers['Access-Control-Allow-Origin']).toBe('*')
  })

  test('is told to come back within the window, though the clock was put back meanwhile', async () => {
    const api = merchantApi(opened.till)
    await statuses(60, () => send(api, '/payments'))
    const before = Date.now()
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => before - 3_600_000)
    const { status, headers } = await send(api, '/payments')
    clock.mockRestore()
    expect(status).toBe(429)
    expect([headers['Retry-After'], headers.RateLimit]).toEqual(['60', '"address";r=0;t=60'])
  })

  test('gets no more when many ask at once', async () => {
    const api = merchantApi(opened.till, { rateLimits: { perAddress: memory(5) } })
    const all = await Promise.all(Array.from({ length: 50 }, () => send(api, '/payments')))
    expect(all.filter(({ status }) => status === 401)).toHaveLength(5)
    expect(all.filter(({ status }) => status === 429)).toHaveLength(45)
  })

  test.each([
    ['2001:db8:1:2:3:4:5:6', '2001:0DB8:1:2::9', true],
    ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
    ['2001:db8::1', '2001:db8:0:0:ffff::', true],
    ['::1', '::2', true],
    ['fe80::1%eth0', 'fe80::2', true],
    ['::ffff:203.0.113.7', '203.0.113.7', true],
    ['::ffff:203.0.113.7', '::ffff:203.0.113.8', false],
    ['203.0.113.7', '203.0.113.8', false],
    ['203.0.113.7:443', '203.0.113.8:443', false],
    ['203.0.113.7:443', '203.0.113.7', true],
    ['[2001:db8:1:2::1]:443', '2001:db8:1:2::9', true],
    ['"[2001:db8:1:2::1]"', '2001:db8:1:2::9', true],
    ['[::ffff:cb00:7107]:443', '203.0.113.7', true],
    ['::ffff:cb00:7107', '203.0.113.7', true],
    ['::ffff:0:203.0.113.7', '::ffff:0:203.0.113.8', false],
    ['"[2001:db8:1:2:3333:4444:5555:6666%ethernet0]:65535"', '2001:db8:1:2::9', true],
    ['64:ff9b::203.0.113.7', '203.0.113.7', true],
    ['64:ff9b::203.0.113.7', '64:ff9b::203.0.113.8', false],
    ['64:ff9b:1::cb00:7107', '64:ff9b:1::cb00:7108', false],
    ['2002:cb00:7107:1::1', '2002:cb00:7107:2::1', true],
    ['2002:cb00:7107::1', '2002:cb00:7108::1', false],
    ['fe80::1%eth0', 'fe80::1%eth1', true],
    ['garbage', 'other garbage', true],
    ['unknown', '', true],
  ])('%s and %s are the same client: %s', async (one, other, same) => {
    const api = merchantApi(opened.till, { rateLimits: { perAddress: memory(1) } })
    expect((await send(api, '/payments', { remoteAddress: one })).status).toBe(401)
    expect((await send(api, '/payments', { remoteAddress: other })).status).toBe(same ? 429 : 401)
  })

  test('that is unknown is limited with all that are, but locks out no key', async () => {
    const { till, apiKey } = opened
    const api = merchantApi(till, { rateLimits: { perAddress: memory(1) } })
    const unknown = { remoteAddress: undefined }
    expect(await statuses(3, () => send(api, '/payments', unknown))).toEqual([401, 429, 429])
    expect(await statuses(2, () => send(api, '/payments', { ...unknown, apiKey }))).toEqual([200, 200])
  })
})

test('preflights are not counted', async () => {
  const api = merchantApi(opened.till, { rateLimits: { perAddress: memory(1) } })
  const preflight = {
    method: 'OPTIONS',
    headers: { origin: 'https://a.example', 'access-control-request-method': 'GET' },
  }
  expect(await statuses(3, () => send(api, '/payments', preflight))).toEqual([204, 204, 204])
  expect(await statuses(1, () => send(api, '/payments'))).toEqual([401])
})

test('rateLimits: false has none, and no headers', async () => {
  const api = merchantApi(opened.till, { rateLimits: false })
  const response = await send(api, '/payments', { apiKey: opened.apiKey })
  expect(Object.keys(response.headers).filter(name => name.startsWith('RateLimit'))).toEqual([])
  expect(new Set(await statuses(100, () => send(api, '/payments')))).toEqual(new Set([401]))
})

test('QR endpoints have a generous limit by address', async () => {
  const { till, code } = opened
  const qrBaseUrl = 'https://pay.example.com'
  const { headers } = await send(qrEndpoints(till, { qrBaseUrl }), `/${code}`)
  expect(headers['RateLimit-Policy']).toBe('"address";q=300;w=1')
  const qr = qrEndpoints(till, { qrBaseUrl, rateLimits: { perAddress: memory(2) } })
  expect(await statuses(3, () => send(qr, '/unknown'))).toEqual([404, 404, 429])
})
