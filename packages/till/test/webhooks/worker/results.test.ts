import type { ClaimedDelivery, DeliveryResult } from '@tillkit/storage'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createResults } from '../../../src/webhooks/worker/results.ts'

const AT = '2026-11-20T09:30:00.000Z'

const resultOf = (paymentId: number): DeliveryResult => ({
  ...{ merchantId: 'm1', paymentId, fence: 1, state: 'delivered', nextAttemptAt: null },
  attempt: { at: AT, status: 200, milliseconds: 1, error: null, answer: null },
})

/** The delivery under the lease that follows that of its result. */
const claimed = (paymentId: number) =>
  ({ merchantId: 'm1', paymentId, fence: 2, payment: null }) as ClaimedDelivery

/** Results for a storage that says of each what `record` does. */
const resultsFor = (record: () => Promise<boolean>, now = async () => new Date(AT)) =>
  createResults({
    ...{ deliveries: { record }, now },
    logger: { debug() {}, info() {}, warn() {}, error() {} },
  })

/** Results for a storage that takes none of them, and when it was asked to. */
function refused() {
  const asked: number[] = []
  const results = resultsFor(async () => {
    asked.push(Date.now())
    throw new Error('the database is away')
  })
  return { results, asked }
}

test('no more than ten thousand results are remembered that could not be written, the latest', async () => {
  const { results } = refused()
  for (let id = 1; id <= 10_001; id++) await results.write(resultOf(id), new Date(AT))
  expect(results.unwritten(claimed(1))).toBe(null)
  expect(results.unwritten(claimed(2))).toMatchObject({ paymentId: 2, fence: 2 })
  expect(results.unwritten(claimed(10_001))).toMatchObject({ paymentId: 10_001, fence: 2 })
})

test('one that was asked for is remembered no longer', async () => {
  const { results } = refused()
  await results.write(resultOf(1), new Date(AT))
  expect(results.unwritten(claimed(1))).not.toBe(null)
  expect(results.unwritten(claimed(1))).toBe(null)
})

test('a storage that is away is asked eight times, after pauses that double', async () => {
  vi.useFakeTimers({ now: 0 })
  onTestFinished(() => void vi.useRealTimers())
  const { results, asked } = refused()
  const written = results.write(resultOf(1), new Date('2026-11-20T10:30:00.000Z'))
  await vi.runAllTimersAsync()
  expect(await written).toBe(false)
  expect(asked).toEqual([0, 100, 300, 700, 1500, 3100, 6300, 12_700])
})

test.each([
  { fence: 2, started: AT, known: true },
  // Another has had it since, or the host sent it again.
  { fence: 3, started: AT, known: false },
  // It got the id of a payment that a failover lost.
  { fence: 2, started: '2026-11-20T09:30:01Z', known: false },
])('it is written in the place of an attempt under the next lease, of the same payment: %o', async one => {
  const { results } = refused()
  await results.write(resultOf(1), new Date(AT))
  const payment = { date: one.started } as ClaimedDelivery['payment']
  const known = results.unwritten({ ...claimed(1), fence: one.fence, payment } as ClaimedDelivery)
  expect(known !== null).toBe(one.known)
})

test('one whose answer was lost counts as written, and one that another took over does not', async () => {
  const answers = [new Error('cut off'), false]
  const lost = resultsFor(async () => {
    const answer = answers.shift()
    if (answer instanceof Error) throw answer
    return answer ?? false
  })
  const leaseUntil = new Date('2026-11-20T10:30:00.000Z')
  expect(await lost.write(resultOf(1), leaseUntil)).toBe(true)
  expect(await resultsFor(async () => false).write(resultOf(1), leaseUntil)).toBe(false)
})

test('a clock that says no time keeps no result from being tried again, and remembered', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const noTime = () => Promise.reject(new Error('clock says no time'))
  const answers = [new Error('cut off'), true]
  const back = resultsFor(async () => {
    const answer = answers.shift() ?? new Error('the database is away')
    if (answer instanceof Error) throw answer
    return answer
  }, noTime)
  const leaseUntil = new Date('2026-11-20T10:30:00.000Z')
  const writes = [back.write(resultOf(1), leaseUntil)]
  await vi.runAllTimersAsync()
  writes.push(back.write(resultOf(2), leaseUntil))
  await vi.runAllTimersAsync()
  expect(await Promise.all(writes)).toEqual([true, false])
  expect(back.unwritten(claimed(2))).toMatchObject({ paymentId: 2 })
})
