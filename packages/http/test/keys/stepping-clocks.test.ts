import { merchantApi, qrEndpoints, type RateLimiter } from '@tillkit/http'
import { afterEach, expect, test, vi } from 'vitest'
import { openTill, send } from '../fixture.ts'

const HOUR = 3_600_000

/** A shared limiter that cannot be reached: limits go on in memory. */
const down: RateLimiter = {
  points: 3,
  duration: 60,
  consume: () => Promise.reject(new Error('ECONNREFUSED')),
  get: () => Promise.reject(new Error('ECONNREFUSED')),
}

/** This machine's wall clock is set so far ahead, or back. */
function stepBy(milliseconds: number): void {
  const before = Date.now()
  const began = performance.now()
  vi.spyOn(Date, 'now').mockImplementation(() => before + milliseconds + performance.now() - began)
}

afterEach(() => {
  vi.restoreAllMocks()
})

test('whoever is over a limit that is counted in memory while the shared one is down is told its window at most, though the clock was put back', async () => {
  const { till } = await openTill()
  const api = merchantApi(till, { rateLimits: { perAddress: down }, logger: false })
  for (let n = 0; n < 3; n++) expect((await send(api, '/payments')).status).toBe(401)
  stepBy(-HOUR)
  const { status, headers } = await send(api, '/payments')
  expect([status, headers['Retry-After'], headers.RateLimit]).toEqual([429, '60', '"address";r=0;t=60'])
})

test('so is whoever is counted without a key, within the limit and over it', async () => {
  const { till } = await openTill()
  const qrBaseUrl = 'https://pay.example.com'
  const qr = qrEndpoints(till, { qrBaseUrl, rateLimits: { perAddress: down }, logger: false })
  for (let n = 0; n < 2; n++) expect((await send(qr, '/unknown')).status).toBe(404)
  stepBy(-HOUR)
  const [last, over] = [await send(qr, '/unknown'), await send(qr, '/unknown')]
  expect([last.status, last.headers.RateLimit]).toEqual([404, '"address";r=0;t=60'])
  expect([over.status, over.headers['Retry-After']]).toEqual([429, '60'])
})

test.each([
  ['counts once more from nothing', HOUR, 3],
  ['counts on', -HOUR, 0],
])('a limit in memory %s where the clock steps by %d ms, and is a limit', async (_, step, more) => {
  const { till } = await openTill()
  const qr = qrEndpoints(till, {
    qrBaseUrl: 'https://pay.example.com',
    rateLimits: { perAddress: down },
    logger: false,
  })
  const allowed = async () => {
    const seen: number[] = []
    for (let n = 0; n < 10; n++) seen.push((await send(qr, '/unknown')).status)
    return seen.filter(status => status === 404).length
  }
  expect(await allowed()).toBe(3)
  stepBy(step)
  expect(await allowed()).toBe(more)
  expect(await allowed()).toBe(0)
})

test('a key that was good goes on being let in, and one that was revoked is not, whichever way the clock steps', async () => {
  const { till, merchant, apiKey } = await openTill()
  const old = await till.apiKeys.issue(merchant.id)
  const api = merchantApi(till)
  const status = async (key: string) => (await send(api, '/payments', { apiKey: key })).status
  expect([await status(apiKey), await status(old.apiKey)]).toEqual([200, 200])
  await till.apiKeys.revoke(merchant.id, old.id)
  for (const step of [HOUR, -HOUR]) {
    stepBy(step)
    expect([await status(apiKey), await status(old.apiKey)]).toEqual([200, 401])
  }
})
