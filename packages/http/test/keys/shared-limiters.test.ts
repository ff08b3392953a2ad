import { randomBytes } from 'node:crypto'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { merchantApi, qrEndpoints, type RateLimiter } from '@tillkit/http'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { openTill, send } from '../fixture.ts'
import { memory, statuses } from './limited.ts'

let opened: Awaited<ReturnType<typeof openTill>>
beforeAll(async () => {
  opened = await openTill()
})
afterEach(() => void vi.useRealTimers())

/** A limiter in another machine's memory, as far as one can tell; `on` is called before it answers. */
function shared(points: number, on: () => unknown = () => {}): RateLimiter {
  const real = memory(points)
  return {
    points,
    duration: 3600,
    async consume(key, cost) {
      await on()
      return real.consume(key, cost)
    },
    async get(key) {
      await on()
      return real.get(key)
    },
  }
}

const rejects = () => Promise.reject(new Error('ECONNREFUSED'))

describe('a limiter that is down', () => {
  const failing = (how: () => Promise<never>): RateLimiter => ({
    points: 2,
    duration: 3600,
    consume: how,
    get: how,
  })
  const neverAnswers = () => new Promise<never>(() => {})
  const throws = () => {
    throw new Error('not connected')
  }

  test.each([
    ['rejects', rejects],
    ['rejects with nothing', () => Promise.reject(undefined)],
    ['rejects with a text', () => Promise.reject('away')],
    ['throws', throws],
    ['hangs', neverAnswers],
  ])('and %s: limits go on in memory, and the logger hears once', async (_, how) => {
    const warn = vi.fn()
    const api = merchantApi(opened.till, {
      rateLimits: { perAddress: failing(how), perKey: failing(how) },
      logger: { warn, error() {} },
    })
    const other = await opened.till.apiKeys.issue(opened.merchant.id)
    expect(await statuses(3, () => send(api, '/payments', { apiKey: opened.apiKey }))).toEqual([
      200, 200, 429,
    ])
    expect(await statuses(3, () => send(api, '/payments'))).toEqual([401, 401, 429])
    expect(await statuses(1, () => send(api, '/payments', { apiKey: other.apiKey }))).toEqual([429])
    expect(warn.mock.calls.map(([{ limiter }]) => limiter)).toEqual(['address', 'key'])
    expect(JSON.stringify(warn.mock.calls)).not.toContain(opened.apiKey)
  })

  test('is stood in for whatever its window: one of a month ends no sooner than it could', async () => {
    const perKey: RateLimiter = { points: 2, duration: 30 * 86_400, consume: rejects, get: rejects }
    const api = merchantApi(opened.till, { rateLimits: { perKey }, logger: false })
    const ask = async () => {
      const answer = await send(api, '/payments', { apiKey: opened.apiKey })
      await setTimeout(20)
      return answer
    }
    expect(await statuses(3, ask)).toEqual([200, 200, 429])
  })

  test('is tried again after a pause by one request, and used when it is back', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const warn = vi.fn()
    const away = new Error('ECONNREFUSED')
    let up = false
    const real = memory(100)
    const consume = vi.fn((key: string) => (up ? real.consume(key) : Promise.reject(away)))
    const perKey = { points: 100, duration: 3600, consume, get: rejects }
    const api = merchantApi(opened.till, { rateLimits: { perKey }, logger: { warn, error() {} } })
    const ask = () => send(api, '/payments', { apiKey: opened.apiKey })
    await statuses(3, ask)
    vi.advanceTimersByTime(1900)
    await statuses(3, ask)
    expect(consume).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(600)
    await Promise.all([ask(), ask(), ask()])
    expect(consume).toHaveBeenCalledTimes(2)
    expect(warn).toHaveBeenCalledExactlyOnceWith({ err: away, limiter: 'key' }, expect.any(String))
    up = true
    vi.advanceTimersByTime(2500)
    await statuses(3, ask)
    expect(consume).toHaveBeenCalledTimes(5)
  })

  test('is used again from its first answer on, though that is a refusal', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    let up = true
    const perKey = shared(2, () => up || rejects())
    const api = merchantApi(opened.till, { rateLimits: { perKey }, logger: false })
    const ask = () => send(api, '/payments', { apiKey: opened.apiKey })
    expect(await statuses(2, ask)).toEqual([200, 200])
    up = false
    expect(await statuses(1, ask)).toEqual([200])
    up = true
    vi.advanceTimersByTime(2500)
    expect(await statuses(3, ask)).toEqual([429, 429, 429])
  })
})

describe('a shared limiter', () => {
  test('refuses where it is used up', async () => {
    const api = merchantApi(opened.till, { rateLimits: { perAddress: shared(1) } })
    expect(await statuses(3, () => send(api, '/payments'))).toEqual([401, 429, 429])
  })

  test('that takes its time is waited for, and leaves no timer behind', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const warn = vi.fn()
    const perAddress = shared(1, async () => {
      await setImmediate()
      vi.advanceTimersByTime(400)
      await setImmediate()
    })
    const api = merchantApi(opened.till, { rateLimits: { perAddress }, logger: { warn, error() {} } })
    expect(await statuses(2, () => send(api, '/payments'))).toEqual([401, 429])
    // One is the window's own.
    expect([warn.mock.calls, vi.getTimerCount()]).toEqual([[], 1])
  })

  test('whose answer came in while this process stood still is not late', async () => {
    const warn = vi.fn()
    const standStill = () => {
      const end = performance.now() + 700
      while (performance.now() < end);
    }
    /** What the operating system tells of, as it does of an answer over a network. */
    const answered = () =>
      new Promise(resolve => {
        randomBytes(8, resolve)
        process.nextTick(standStill)
      })
    const api = merchantApi(opened.till, {
      rateLimits: { perAddress: shared(5, answered) },
      logger: { warn, error() {} },
    })
    expect((await send(api, '/payments')).status).toBe(401)
    expect(warn).not.toHaveBeenCalled()
  })

  test.each([
    ['is up', () => {}],
    ['is down', rejects],
  ])('that %s counts a drawing as much as it costs', async (_, on) => {
    const { till, code } = opened
    const rateLimits = { perAddress: shared(100, on) }
    const qr = qrEndpoints(till, { qrBaseUrl: 'https://pay.example.com', rateLimits, logger: false })
    expect((await send(qr, `/${code}.svg`)).headers.RateLimit).toContain('r=97')
  })

  test.each([
    [{ remainingPoints: 3, msBeforeNext: 1001 }, 'r=3;t=2'],
    [{ remainingPoints: 3, msBeforeNext: 0 }, 'r=3;t=1'],
    [{}, 'r=0;t=1'],
  ])('that answers %j is told of as %s, and nobody is refused for it', async (answer, told) => {
    const perAddress = { points: 5, duration: 60, consume: async () => answer, get: async () => answer }
    const api = merchantApi(opened.till, { rateLimits: { perAddress } })
    const { status, headers } = await send(api, '/payments', { apiKey: 'wrong' })
    expect([status, headers.RateLimit]).toEqual([401, `"address";${told}`])
  })

  test.each([
    ['of fewer than none left', { remainingPoints: -3 }, false, 401],
    ['that some are left and refuses', { remainingPoints: 3 }, true, 429],
  ])('that says %s is told of as none', async (_, answer, refuses, told) => {
    const consume = () => (refuses ? Promise.reject(answer) : Promise.resolve(answer))
    const perAddress = { points: 5, duration: 60, consume, get: async () => null }
    const { status, headers } = await send(
      merchantApi(opened.till, { rateLimits: { perAddress } }),
      '/payments',
    )
    expect([status, headers.RateLimit]).toEqual([told, '"address";r=0;t=1'])
  })

  test('that answers nothing is a fault, and logged', async () => {
    const error = vi.fn()
    const perKey = { consume: async () => undefined as never, get: async () => null }
    const api = merchantApi(opened.till, { rateLimits: { perKey }, logger: { warn() {}, error } })
    expect((await send(api, '/payments', { apiKey: opened.apiKey })).status).toBe(500)
    expect(error).toHaveBeenCalledOnce()
  })
})
