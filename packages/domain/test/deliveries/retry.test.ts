import { type Attempt, afterAttempt, isSuccess, RETRY_DELAYS } from '@tillkit/domain'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const AT = new Date('2026-11-20T09:30:00Z')

function anAttempt(fields: Partial<Attempt> = {}): Attempt {
  return { number: 1, at: AT, status: 500, error: 'status 500', retryAfter: null, ...fields }
}

/** How many seconds after the attempt the next one is due, with a delay that is neither shortened nor lengthened. */
function waits(attempt: Partial<Attempt>, random = 0.5): number | null {
  const { nextAttemptAt } = afterAttempt(anAttempt(attempt), RETRY_DELAYS, random)
  return nextAttemptAt === null ? null : (Date.parse(nextAttemptAt) - AT.getTime()) / 1000
}

test('any 2xx is a success, nothing else', () => {
  expect([200, 202, 204, 299].map(isSuccess)).toEqual([true, true, true, true])
  expect([null, 100, 199, 300, 301, 404, 500].map(isSuccess)).toEqual(Array(7).fill(false))
})

test('a success is delivered', () => {
  const success = anAttempt({ status: 204, error: null })
  expect(afterAttempt(success, RETRY_DELAYS, 0.5)).toEqual({ state: 'delivered', nextAttemptAt: null })
  const last = { ...success, number: RETRY_DELAYS.length + 1 }
  expect(afterAttempt(last, RETRY_DELAYS, 0.5)).toEqual({ state: 'delivered', nextAttemptAt: null })
})

test('seven retries: 5 s, 5 m, 30 m, 2 h, 5 h, 10 h, 10 h, then it is exhausted', () => {
  const delays = [1, 2, 3, 4, 5, 6, 7].map(number => waits({ number }))
  expect(delays).toEqual([5, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 10 * 3600, 10 * 3600])
  const last = afterAttempt(anAttempt({ number: 8 }), RETRY_DELAYS, 0.5)
  expect(last).toEqual({ state: 'exhausted', nextAttemptAt: null })
})

test('410 gives up at once', () => {
  const gone = afterAttempt(anAttempt({ status: 410 }), RETRY_DELAYS, 0.5)
  expect(gone).toEqual({ state: 'exhausted', nextAttemptAt: null })
})

test('no retries at all is a schedule', () => {
  expect(afterAttempt(anAttempt(), [], 0.5)).toEqual({ state: 'exhausted', nextAttemptAt: null })
})

test('a delay is spread by a fifth either way', () => {
  expect([0, 0.25, 0.75, 1].map(random => waits({ number: 2 }, random))).toEqual([240, 270, 330, 360])
  const random = fc.double({ min: 0, max: 1, noNaN: true })
  const number = fc.integer({ min: 1, max: RETRY_DELAYS.length })
  fc.assert(
    fc.property(number, random, (number, random) => {
      const delay = RETRY_DELAYS[number - 1] ?? 0
      const wait = waits({ number }, random) ?? Number.NaN
      expect(wait).toBeGreaterThanOrEqual(delay * 0.8)
      expect(wait).toBeLessThanOrEqual(delay * 1.2)
    }),
  )
})

test('a 429 or 503 that asks for a time gets it after the first three attempts, up to a day', () => {
  for (const status of [429, 503]) {
    expect([1, 2, 3].map(number => waits({ status, retryAfter: 17, number }, 0.9))).toEqual([17, 17, 17])
    expect(waits({ status, retryAfter: 0 })).toBe(0)
    expect(waits({ status, retryAfter: -5 })).toBe(0)
    expect(waits({ status, retryAfter: 1e9 })).toBe(86_400)
    expect(waits({ status, retryAfter: null })).toBe(5)
    expect(waits({ status, retryAfter: 17, number: 8 })).toBe(null)
  }
  expect(waits({ status: 500, retryAfter: 17 })).toBe(5)
  expect(waits({ status: null, retryAfter: 17 })).toBe(5)
})

test('from the fourth attempt on, what a 429 or 503 asks for only puts the next one off', () => {
  for (const status of [429, 503]) {
    const waitsFor = (retryAfter: number) =>
      [3, 4, 5, 6, 7].map(number => waits({ status, retryAfter, number }, 1))
    expect(waitsFor(0)).toEqual([0, 8640, 21_600, 43_200, 43_200])
    expect(waitsFor(10_000)).toEqual([10_000, 10_000, 21_600, 43_200, 43_200])
    expect(waitsFor(1e9)).toEqual(Array(5).fill(86_400))
  }
})
