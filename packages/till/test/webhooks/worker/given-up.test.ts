import type { DeliveryStore } from '@tillkit/storage'
import { beforeEach, expect, test, vi } from 'vitest'
import { heldReceiver, receiver } from '../receiver.ts'
import { scene } from '../scene.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  return () => vi.useRealTimers()
})

/** A stop whose limit of 15 s passes. */
async function late<Report>(stop: Promise<Report>): Promise<Report> {
  await vi.advanceTimersByTimeAsync(15_000)
  return stop
}

test('an attempt that one stop has given up is not waited for by the next, nor said to have ended', async () => {
  const { storage, merchant, outcome, worker, delivery } = scene()
  const hook = await receiver()
  await merchant('m1', hook.url)
  await outcome('m1')
  const [asked, back] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const deliveries = {
    ...storage.deliveries,
    async record(result: Parameters<DeliveryStore['record']>[0]) {
      asked.resolve()
      await back.promise
      return storage.deliveries.record(result)
    },
  }
  const it = worker({}, { deliveries })
  it.start()
  await asked.promise
  expect(await late(it.stop())).toMatchObject({ attempts: 0, givenUp: 1 })
  expect(await it.stop()).toMatchObject({ attempts: 0, givenBack: 0, givenUp: 0 })
  back.resolve()
  await vi.waitUntil(async () => (await delivery('m1'))?.state === 'delivered', { timeout: 60_000 })
})

test('deliverDue takes up nothing more once a stop has given up what it claims', async () => {
  const { storage, merchant, outcome, worker, delivery, clock } = scene()
  const hook = await receiver()
  await merchant('m1', hook.url)
  await outcome('m1')
  const [asked, back] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let claims = 0
  const deliveries = {
    ...storage.deliveries,
    async claim(request: Parameters<DeliveryStore['claim']>[0]) {
      claims += 1
      asked.resolve()
      await back.promise
      return storage.deliveries.claim(request)
    },
  }
  const it = worker({}, { deliveries })
  const due = it.deliverDue()
  await asked.promise
  await late(it.stop())
  back.resolve()
  expect(await due).toEqual({ delivered: 0, failed: 0 })
  expect([claims, hook.connections()]).toEqual([1, 0])
  expect((await delivery('m1'))?.nextAttemptAt).toBe(clock().toISOString())
})

test('a worker that is started again after a stop had given up claims, and keeps places, as before', async () => {
  const { storage, merchant, outcome, worker, clock } = scene()
  const hook = await receiver()
  await merchant('m1', hook.url)
  await outcome('m1')
  const asked = Promise.withResolvers<void>()
  let [claims, released] = [0, 0]
  const deliveries = {
    ...storage.deliveries,
    async claim(request: Parameters<DeliveryStore['claim']>[0]) {
      if (++claims > 1) return storage.deliveries.claim(request)
      asked.resolve()
      return new Promise<never>(() => {})
    },
    async release(...given: Parameters<DeliveryStore['release']>) {
      released++
      return storage.deliveries.release(...given)
    },
  }
  const it = worker({}, { deliveries })
  it.start()
  await asked.promise
  await late(it.stop())
  it.start()
  await hook.got(1)
  const place = await vi.waitUntil(() => it.keepPlace('m1'), { timeout: 60_000 })
  await outcome('m1')
  const { leaseUntil } = place
  const [delivery] = await storage.deliveries.claim({ now: clock().toISOString(), leaseUntil, limit: 1 })
  place.take(delivery)
  await vi.waitUntil(() => hook.received.length + released === 2, { timeout: 60_000 })
  expect(released).toBe(0)
})

test('a claim that is answered only after a stop has given it up is the last, and one that fails keeps no stop waiting', async () => {
  const { storage, worker } = scene()
  const claims: PromiseWithResolvers<[]>[] = []
  const deliveries = {
    ...storage.deliveries,
    claim() {
      const claim = Promise.withResolvers<[]>()
      claims.push(claim)
      return claim.promise
    },
  }
  const turn = () => new Promise(resolve => setImmediate(resolve))
  const it = worker({}, { deliveries })
  it.start()
  while (claims.length === 0) await turn()
  await late(it.stop())
  claims[0]?.resolve([])
  for (let turns = 0; turns < 20; turns++) await turn()
  expect(claims).toHaveLength(1)
  it.start()
  while (claims.length === 1) await turn()
  const stop = it.stop()
  claims[1]?.reject(new Error('the database is away'))
  // No time passes.
  expect(await stop).toMatchObject({ givenUp: 0 })
  expect(claims).toHaveLength(2)
})

test('deliverDue takes up nothing more once a stop has begun, however much is due', async () => {
  const { storage, merchant, outcome, worker } = scene()
  const hook = await heldReceiver()
  for (let n = 0; n < 10; n++) {
    await merchant(`m${n}`, hook.url)
    await outcome(`m${n}`)
  }
  let claims = 0
  const deliveries = {
    ...storage.deliveries,
    claim(request: Parameters<DeliveryStore['claim']>[0]) {
      claims += 1
      return storage.deliveries.claim(request)
    },
  }
  const it = worker({ concurrency: 1 }, { deliveries })
  const due = it.deliverDue()
  await hook.got(1)
  const before = claims
  const stop = it.stop()
  hook.release()
  expect(await stop).toMatchObject({ attempts: 1, givenUp: 0 })
  expect(await due).toEqual({ delivered: 1, failed: 0 })
  expect(claims).toBe(before)
})
