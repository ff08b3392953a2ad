import type { ServerResponse } from 'node:http'
import type { Storage } from '@tillkit/storage'
import { memoryStorage } from '@tillkit/storage/memory'
import { expect, test, vi } from 'vitest'
import { heldReceiver, receiver } from '../receiver.ts'
import { tillScene } from '../till-scene.ts'

const START = '2026-11-20T09:30:00.000Z'
/** What a worker of the scene leases for: three timeouts and a second. */
const LEASE_ENDS = '2026-11-20T09:30:16.000Z'

/** Waits for it, however busy the machine is. */
const until = (condition: () => unknown) => vi.waitUntil(condition, { timeout: 120_000 })

/** A store that counts what it hands out by claims, and can be told what an outcome meets on its way. */
function watchedStorage() {
  const storage: Storage = memoryStorage()
  const { claim } = storage.deliveries
  const { resolve } = storage.payments
  const seen = { claims: 0, claimed: 0, leases: [] as (string | null)[] }
  const on = { resolve: async () => {} }
  storage.deliveries.claim = async request => {
    const claimed = await claim(request)
    seen.claims += 1
    seen.claimed += claimed.length
    return claimed
  }
  storage.payments.resolve = async (key, outcome, now, traceparent, leaseUntil) => {
    seen.leases.push(leaseUntil ?? null)
    const resolved = await resolve(key, outcome, now, traceparent, leaseUntil)
    await on.resolve()
    return resolved
  }
  return { storage, seen, on }
}

/** A till whose worker has begun, and found nothing. */
async function running(url: string | null, options: { concurrency?: number } = {}) {
  const watched = watchedStorage()
  const made = await tillScene(url, { storage: watched.storage, webhooks: options })
  const begin = async () => {
    const { claims } = watched.seen
    made.till.webhooks.start()
    await until(() => watched.seen.claims > claims)
    // Until the claim's answer has been seen.
    await new Promise(resolve => setImmediate(resolve))
  }
  await begin()
  return { ...made, ...watched, begin }
}

test('the worker of the process that records an outcome delivers it without a claim', async () => {
  const hook = await heldReceiver()
  const { paid, seen, delivery, till } = await running(hook.url)
  await paid()
  await hook.got(1)
  expect(await delivery()).toMatchObject({ state: 'pending', createdAt: START, nextAttemptAt: LEASE_ENDS })
  hook.release()
  await until(async () => (await delivery())?.state === 'delivered')
  expect(await delivery()).toMatchObject({ attempts: 1, lastStatus: 200 })
  expect(seen.claimed).toBe(0)
  await till.webhooks.stop()
})

test('what it fails to deliver is claimed when it is due again', async () => {
  const hook = await receiver((response, _, count) => response.writeHead(count === 1 ? 503 : 200).end())
  const { paid, seen, delivery, pass, till } = await running(hook.url)
  await paid()
  await until(async () => (await delivery())?.attempts === 1)
  expect(await delivery()).toMatchObject({ state: 'pending', lastStatus: 503 })
  pass(60)
  await until(async () => (await delivery())?.state === 'delivered')
  expect([seen.claimed, hook.received.length]).toEqual([1, 2])
  await till.webhooks.stop()
})

test('where no worker runs, or it has stopped, the delivery is due for anybody', async () => {
  const hook = await receiver()
  const { paid, delivery, till, seen } = await running(hook.url)
  await till.webhooks.stop()
  await paid()
  expect(await delivery()).toMatchObject({ state: 'pending', nextAttemptAt: START })
  expect(seen.leases).toEqual([null])
  expect(await till.webhooks.deliverDue()).toEqual({ delivered: 1, failed: 0 })
})

test('what a host holds in its transaction is leased to nobody', async () => {
  const hook = await receiver()
  const { storage, seen } = watchedStorage()
  const { paid, till } = await tillScene(hook.url, { storage: { ...storage, inTransaction: true } })
  till.webhooks.start()
  await until(() => seen.claims > 0)
  await paid()
  expect(seen.leases).toEqual([null])
})

test('a paused endpoint is not asked', async () => {
  const hook = await receiver(503)
  const { paid, delivery, storage, till } = await running(hook.url)
  await paid()
  await until(async () => (await delivery())?.attempts === 1)
  expect(await storage.endpoints.pause('shop', START, START)).toBe(true)
  await paid()
  await until(async () => (await delivery(2))?.nextAttemptAt === null)
  expect(await delivery(2)).toMatchObject({ state: 'pending', attempts: 0 })
  expect(hook.received).toHaveLength(1)
  await till.webhooks.stop()
})

test('no more are leased than have room, and the rest are claimed in their turn', async () => {
  const hook = await heldReceiver()
  const { paid, till, seen } = await running(hook.url, { concurrency: 4 })
  for (let n = 0; n < 60; n++) await paid()
  await hook.got(1)
  // Four are under way at most, and a merchant that has not answered has half of the places' number waiting at most.
  expect(seen.leases.filter(lease => lease !== null).length).toBeLessThanOrEqual(8)
  expect(seen.leases.filter(lease => lease === null).length).toBeGreaterThanOrEqual(52)
  const releasing = setInterval(() => hook.release(), 1)
  await until(async () => (await till.webhooks.counts()).pending === 0)
  clearInterval(releasing)
  const ids = hook.received.map(({ headers }) => headers['webhook-id'])
  expect([ids.length, new Set(ids).size]).toEqual([60, 60])
})

test('outcomes that are recorded at the same moment share the room there is', async () => {
  const hook = await heldReceiver()
  const { till, seen, pass } = await running(hook.url, { concurrency: 4 })
  const payments = await Promise.all(
    Array.from({ length: 40 }, () => till.payments.start({ scanCode: 'CODE', totalAmount: 1250 })),
  )
  await Promise.all(payments.map(payment => till.payments.complete(payment)))
  expect(seen.leases.filter(lease => lease !== null)).toHaveLength(4)
  const answering = setInterval(() => hook.release(), 1)
  await until(() => hook.received.length > 8)
  // What was put off is due by now, and no lease is over.
  pass(10)
  await until(async () => (await till.webhooks.counts()).pending === 0)
  clearInterval(answering)
  expect(hook.received).toHaveLength(40)
})

test('an outcome that is not recorded gives its place up', async () => {
  const hook = await receiver()
  const { till, paid, seen, on } = await running(hook.url, { concurrency: 4 })
  const payment = await till.payments.start({ scanCode: 'CODE', totalAmount: 1250 })
  await till.payments.complete(payment)
  on.resolve = async () => {
    throw new Error('the database is away')
  }
  for (let n = 0; n < 20; n++) {
    await expect(till.payments.complete(payment)).rejects.toThrow('the database is away')
  }
  on.resolve = async () => {}
  for (let n = 0; n < 20; n++) await till.payments.complete(payment)
  await paid()
  expect(seen.leases.every(lease => lease !== null)).toBe(true)
  await hook.got(2)
  await till.webhooks.stop()
  expect(seen.claimed).toBe(0)
})

test('a stop waits for an outcome that is being recorded, and for its attempt', async () => {
  const hook = await receiver()
  const { till, paid, on, delivery } = await running(hook.url)
  const recorded = Promise.withResolvers<void>()
  on.resolve = () => recorded.promise
  const paying = paid()
  await until(async () => (await delivery())?.nextAttemptAt === LEASE_ENDS)
  const stopping = till.webhooks.stop()
  recorded.resolve()
  expect(await stopping).toMatchObject({ givenBack: 0, givenUp: 0 })
  await paying
  expect(await delivery()).toMatchObject({ state: 'delivered', attempts: 1 })
})

test('what is recorded while the worker is being stopped is due for anybody', async () => {
  const hook = await heldReceiver()
  const { till, paid, delivery } = await running(hook.url)
  await paid()
  await hook.got(1)
  const stopping = till.webhooks.stop()
  await paid()
  expect(await delivery(2)).toMatchObject({ nextAttemptAt: START })
  hook.release()
  expect(await stopping).toMatchObject({ attempts: 1, givenBack: 0 })
})

test('what was handed over and had no place yet is due at once after a stop', async () => {
  const hook = await heldReceiver()
  const { till, paid, delivery, begin } = await running(hook.url, { concurrency: 1 })
  await paid()
  await hook.got(1)
  await paid()
  expect(await delivery(2)).toMatchObject({ nextAttemptAt: LEASE_ENDS })
  const stopping = till.webhooks.stop()
  hook.release()
  expect(await stopping).toMatchObject({ attempts: 1, givenBack: 1 })
  expect(await delivery(2)).toMatchObject({ state: 'pending', attempts: 0, nextAttemptAt: START })
  await begin()
  await hook.got(2)
  hook.release()
  await till.webhooks.stop()
  expect(await delivery(2)).toMatchObject({ state: 'delivered' })
})

test('what was handed over for a merchant that does not answer, and was put off, is given back by a stop', async () => {
  const held: ServerResponse[] = []
  const hook = await receiver((response, _, count) => {
    if (count === 1) response.destroy()
    else held.push(response)
  })
  const { till, paid, delivery, seen } = await running(hook.url, { concurrency: 4 })
  await paid()
  await until(async () => (await delivery())?.attempts === 1)
  const payments = await Promise.all(
    Array.from({ length: 4 }, () => till.payments.start({ scanCode: 'CODE', totalAmount: 1250 })),
  )
  await Promise.all(payments.map(payment => till.payments.complete(payment)))
  expect(seen.leases.filter(lease => lease !== null)).toHaveLength(5)
  await hook.got(2)
  const stopping = till.webhooks.stop()
  for (const response of held) response.writeHead(200).end()
  expect(await stopping).toMatchObject({ attempts: 1, givenBack: 2 })
  const { items } = await till.webhooks.list('shop', { state: 'pending' })
  const due = items.filter(({ attempts }) => attempts === 0).map(({ nextAttemptAt }) => nextAttemptAt)
  // For as long as four attempts take.
  expect(due.sort()).toEqual([START, START, '2026-11-20T09:30:20.000Z'])
})

test('one that is recorded after a stop has given up waiting is given back, not attempted', async () => {
  const hook = await receiver()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  try {
    const { till, paid, on, delivery } = await running(hook.url)
    const recorded = Promise.withResolvers<void>()
    on.resolve = () => recorded.promise
    const paying = paid()
    await until(async () => (await delivery())?.nextAttemptAt === LEASE_ENDS)
    const stopping = till.webhooks.stop()
    await vi.advanceTimersByTimeAsync(15_000)
    expect(await stopping).toMatchObject({ attempts: 0, givenBack: 0, givenUp: 0 })
    // Nor does the next stop wait for it.
    await till.webhooks.stop()
    recorded.resolve()
    await paying
    await until(async () => (await delivery())?.nextAttemptAt === START)
    expect(hook.received).toEqual([])
  } finally {
    vi.useRealTimers()
  }
})

test('nothing is leased while it is not known yet whether more is due', async () => {
  const hook = await receiver()
  const { storage, seen } = watchedStorage()
  const { claim } = storage.deliveries
  const answered = Promise.withResolvers<void>()
  storage.deliveries.claim = async request => {
    const claimed = await claim(request)
    await answered.promise
    return claimed
  }
  const { till, paid } = await tillScene(hook.url, { storage })
  till.webhooks.start()
  await until(() => seen.claims > 0)
  await paid()
  answered.resolve()
  expect(seen.leases).toEqual([null])
  await hook.got(1)
})

test('while more is due than was claimed, what is new waits its turn', async () => {
  const hook = await heldReceiver()
  const { till, paid, seen, begin } = await running(hook.url, { concurrency: 2 })
  await till.webhooks.stop()
  for (let n = 0; n < 12; n++) await paid()
  await begin()
  await hook.got(1)
  seen.leases.length = 0
  await paid()
  expect(seen.leases).toEqual([null])
  await until(async () => {
    hook.release()
    return (await till.webhooks.counts()).pending === 0
  })
})

test('a clock that says no time keeps no outcome from being recorded', async () => {
  const hook = await receiver()
  const { storage, seen } = watchedStorage()
  let says = new Date(START)
  const { till } = await tillScene(hook.url, { storage, clock: () => says })
  const payment = await till.payments.start({ scanCode: 'CODE', totalAmount: 1250 })
  till.webhooks.start()
  await until(() => seen.claims > 0)
  await new Promise(resolve => setImmediate(resolve))
  says = new Date(Number.NaN)
  expect(await till.payments.complete(payment)).toMatchObject({ status: 'completed' })
  expect(seen.leases).toEqual([null])
})
