import { beforeEach, expect, test, vi } from 'vitest'
import { inTime } from '../../../src/webhooks/worker/in-time.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  return () => vi.useRealTimers()
})

const late = () => 'late'

test.each([
  ['kept', async () => 'in time', 'in time'],
  ['broken', () => Promise.reject(new Error('the database is away')), 'Error: the database is away'],
])(
  'a promise that is %s in time leaves no timer that keeps the process alive',
  async (_, answer, expected) => {
    expect(await inTime<string>(answer(), 10, late).catch(String)).toBe(expected)
    expect(vi.getTimerCount()).toBe(0)
  },
)

test('one that is not is given up, and what it says later is heard by nobody', async () => {
  const { promise, reject } = Promise.withResolvers<string>()
  const given = inTime(promise, 10, late)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await given).toBe('late')
  // A rejection that nobody catches would end the process.
  reject(new Error('the database is away'))
  await new Promise(resolve => setImmediate(resolve))
})
