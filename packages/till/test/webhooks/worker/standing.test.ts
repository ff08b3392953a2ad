import type { ClaimedDelivery } from '@tillkit/storage'
import { beforeEach, expect, test, vi } from 'vitest'
import { scene } from '../scene.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  return () => vi.useRealTimers()
})

/** Lets so many seconds pass, and what is to be done then be done. */
const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000)

const wait = (seconds: number) => new Promise(resolve => setTimeout(resolve, seconds * 1000))

/** A worker that has made its first claim: each takes what `claim` does, and hands out as many as that says, none of which can be sent. */
async function started(claim: (number: number) => Promise<number>) {
  const { storage, worker } = scene()
  const begun = Promise.withResolvers<void>()
  let number = 0
  const deliveries = {
    ...storage.deliveries,
    async claim() {
      begun.resolve()
      const count = await claim(++number)
      const unreadable = { merchantId: 'm1', fence: 1, attempts: 0, payment: null, fault: 'payment is gone' }
      return Array.from({ length: count }, (_, n) => ({ ...unreadable, paymentId: n + 1 }) as ClaimedDelivery)
    },
  }
  const it = worker({ concurrency: 1 }, { deliveries })
  it.start()
  await begun.promise
  return it
}

test('a worker is as far behind as the last claim that left nothing was begun ago, however long it took', async () => {
  const it = await started(() => wait(4).then(() => 0))
  await pass(4)
  expect(it.standing().secondsBehind).toBeCloseTo(4, 1)
  await pass(0.9)
  expect(it.standing().secondsBehind).toBeCloseTo(4.9, 1)
  await pass(4.1)
  expect(it.standing().secondsBehind).toBeCloseTo(4, 1)
})

test('one that is handed all it asks for falls behind and gets on, until it is handed less', async () => {
  const it = await started(number => wait(1).then(() => (number <= 6 ? 2 : 1)))
  await pass(6)
  expect(it.standing().secondsBehind).toBeCloseTo(6, 1)
  expect(it.standing().secondsStill).toBeLessThan(2)
  await pass(1.5)
  expect(it.standing().secondsBehind).toBeLessThan(2)
})

test('one that has nothing to do gets on, for however long', async () => {
  const it = await started(async () => 0)
  await pass(600)
  const { secondsBehind, secondsStill } = it.standing()
  expect([secondsBehind < 2, secondsStill < 2]).toEqual([true, true])
})

test('one whose claims fail every few seconds, and leave aside meanwhile what is due, neither catches up nor gets on', async () => {
  const it = await started(async number => {
    if (number % 6 === 1) throw new Error('the node takes no writes')
    return 0
  })
  await pass(600)
  const { secondsBehind, secondsStill } = it.standing()
  expect([secondsBehind, secondsStill]).toEqual([expect.closeTo(600, 0), expect.closeTo(600, 0)])
})

test('it gets on where they fail for some, and attempts end for others', async () => {
  const it = await started(async number => {
    if (number % 6 === 1) throw new Error('the node takes no writes')
    return 0
  })
  const unsendable = { merchantId: 'm2', paymentId: 1, fence: 1, attempts: 0, payment: {}, webhookUrl: null }
  for (let n = 0; n < 600; n++) {
    await pass(1)
    it.keepPlace('m2')?.take(unsendable as ClaimedDelivery)
  }
  expect(it.standing().secondsStill).toBeLessThan(10)
})

test('it is counted from when the worker was started, whatever was before', async () => {
  const it = await started(async number => {
    if (number > 1) throw new Error('the database is away')
    return 0
  })
  await pass(0.5)
  await it.stop()
  await pass(600)
  expect(it.standing()).toEqual({ state: 'off', secondsBehind: 0, secondsStill: 0 })
  it.start()
  await pass(2)
  const { secondsBehind, secondsStill } = it.standing()
  expect([secondsBehind, secondsStill]).toEqual([expect.closeTo(2, 1), expect.closeTo(2, 1)])
})
