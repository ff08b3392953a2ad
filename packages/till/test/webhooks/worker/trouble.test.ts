import type { DeliveryStore } from '@tillkit/storage'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { heldReceiver, receiver } from '../receiver.ts'
import { scene } from '../scene.ts'

const never = () => new Promise<never>(() => {})

describe('a storage that says nothing any more', () => {
  const HANGS: [name: string, hang: (store: DeliveryStore) => Partial<DeliveryStore>][] = [
    ['a claim', () => ({ claim: never })],
    ['a result', () => ({ record: never })],
    ['leases given back', () => ({ release: never })],
  ]

  test.each(HANGS)('does not keep the worker from stopping: %s', { timeout: 180_000 }, async (_, hang) => {
    const { storage, merchant, outcome, worker, lines } = scene()
    const hook = await heldReceiver()
    await merchant('m1', hook.url)
    for (let n = 0; n < 3; n++) await outcome('m1')
    const asked = Promise.withResolvers<void>()
    const hanging = Object.fromEntries(
      Object.entries(hang(storage.deliveries)).map(([name, method]) => [
        name,
        () => {
          asked.resolve()
          return (method as () => Promise<never>)()
        },
      ]),
    )
    const it = worker(
      { concurrency: 1, timeoutSeconds: 0.2 },
      { deliveries: { ...storage.deliveries, ...hanging } },
    )
    it.start()
    const stop =
      'release' in hanging ? hook.got(1).then(() => it.stop()) : asked.promise.then(() => it.stop())
    expect(await stop).toMatchObject({
      attempts: 'release' in hanging ? 1 : 0,
      givenBack: 0,
      givenUp: 'record' in hanging ? 1 : 0,
      limitSeconds: 10.2,
    })
    expect(lines.at(-1)?.message).toMatch(/^webhooks stopped though the storage had not answered/)
  })

  test('is asked again once no lease of its answer could hold', { timeout: 180_000 }, async () => {
    const { storage, merchant, outcome, worker, lines } = scene()
    const hook = await receiver()
    await merchant('m1', hook.url)
    await outcome('m1')
    let claims = 0
    const deliveries = {
      ...storage.deliveries,
      claim: (request: Parameters<DeliveryStore['claim']>[0]) =>
        claims++ === 0 ? never() : storage.deliveries.claim(request),
    }
    worker({ timeoutSeconds: 0.5 }, { deliveries }).start()
    await hook.got(1)
    expect(lines[0]).toMatchObject({ message: 'no webhooks claimed', level: 'error' })
  })

  test('what it hands out after the worker was stopped is given back, and not attempted', {
    timeout: 180_000,
  }, async () => {
    const { storage, merchant, outcome, worker, delivery, clock } = scene()
    const hook = await receiver()
    await merchant('m1', hook.url)
    await outcome('m1')
    const [asked, goOn, back] = [0, 1, 2].map(() => Promise.withResolvers<void>())
    const deliveries = {
      ...storage.deliveries,
      async claim(request: Parameters<DeliveryStore['claim']>[0]) {
        const claimed = await storage.deliveries.claim(request)
        asked?.resolve()
        await goOn?.promise
        return claimed
      },
      async release(...given: Parameters<DeliveryStore['release']>) {
        await storage.deliveries.release(...given)
        back?.resolve()
      },
    }
    const it = worker({ timeoutSeconds: 0.2 }, { deliveries })
    it.start()
    await asked?.promise
    await it.stop()
    goOn?.resolve()
    await back?.promise
    expect(hook.connections()).toBe(0)
    expect((await delivery('m1'))?.nextAttemptAt).toBe(clock().toISOString())
  })
})

describe('a result that could not be written', () => {
  /** A worker with one, whose storage is there again. */
  async function unwritten() {
    const made = scene()
    const { storage, merchant, outcome, worker, pass } = made
    const hook = await receiver()
    await merchant('m1', hook.url)
    await outcome('m1')
    let away = true
    const deliveries = {
      ...storage.deliveries,
      async record(result: Parameters<DeliveryStore['record']>[0]) {
        if (!away) return storage.deliveries.record(result)
        pass(60)
        throw new Error('the database is away')
      },
    }
    const it = worker({}, { deliveries })
    await it.deliverDue()
    away = false
    return { ...made, hook, it }
  }

  test('is written under the next lease, and nothing is sent again', async () => {
    const { it, hook, delivery } = await unwritten()
    await it.deliverDue()
    expect(hook.received).toHaveLength(1)
    expect(await delivery('m1')).toMatchObject({ state: 'delivered', attempts: 1 })
  })

  test('is forgotten where the host has had the delivery sent again since', async () => {
    const { it, hook, delivery, storage, clock } = await unwritten()
    await storage.deliveries.requeue({ merchantId: 'm1', paymentId: 1 }, clock().toISOString())
    expect(await it.deliverDue()).toEqual({ delivered: 1, failed: 0 })
    expect(hook.received).toHaveLength(2)
    expect(await delivery('m1')).toMatchObject({ state: 'delivered', attempts: 1 })
  })
})

test('a result whose texts the storage refuses is written without them', { timeout: 180_000 }, async () => {
  const { storage, merchant, outcome, worker, delivery } = scene()
  const hook = await receiver(response => response.writeHead(500).end('poison'))
  await merchant('m1', hook.url)
  await outcome('m1')
  const deliveries = {
    ...storage.deliveries,
    async record(result: Parameters<DeliveryStore['record']>[0]) {
      if (result.attempt.answer !== null) throw new Error('no such text')
      return storage.deliveries.record(result)
    },
  }
  await worker({}, { deliveries }).deliverDue()
  expect(await delivery('m1')).toMatchObject({
    state: 'pending',
    attempts: 1,
    lastStatus: 500,
    lastError: 'failed',
  })
})

test('what is handed over after a stop has given up harms no host, though its lease is not taken back', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { storage, merchant, outcome, worker, clock } = scene()
  await merchant('m1', 'http://127.0.0.1:1/')
  const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const deliveries = {
    ...storage.deliveries,
    async claim(request: Parameters<DeliveryStore['claim']>[0]) {
      asked.resolve()
      return storage.deliveries.claim(request)
    },
    async release() {
      released.resolve()
      throw new Error('the database is away')
    },
  }
  const it = worker({}, { deliveries })
  it.start()
  await asked.promise
  await new Promise(resolve => setImmediate(resolve))
  const place = it.keepPlace('m1')
  const stop = it.stop()
  await vi.advanceTimersByTimeAsync(15_000)
  await stop
  await outcome('m1')
  const leaseUntil = place?.leaseUntil ?? ''
  const [delivery] = await storage.deliveries.claim({ now: clock().toISOString(), leaseUntil, limit: 1 })
  place?.take(delivery)
  await released.promise
  // A rejection that nobody catches would end the process.
  await new Promise(resolve => setImmediate(resolve))
})

test('a storage that is away is asked again later each time, up to half a minute, whoever wakes the worker, and as soon as at first once it was back', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { storage, worker } = scene()
  const loaded = Promise.withResolvers<void>()
  let [claims, away] = [0, true]
  const deliveries = {
    ...storage.deliveries,
    async claim() {
      claims++
      loaded.resolve()
      if (away) throw new Error('the database is away')
      return []
    },
  }
  const it = worker({}, { deliveries })
  it.start()
  await loaded.promise
  for (const seconds of [1, 2, 4, 8, 16, 30, 30]) {
    const before = claims
    it.wake()
    await vi.advanceTimersByTimeAsync(seconds * 1000 - 1)
    expect(claims).toBe(before)
    await vi.advanceTimersByTimeAsync(1)
    expect(claims).toBe(before + 1)
  }
  away = false
  await vi.advanceTimersByTimeAsync(30_000)
  away = true
  await vi.advanceTimersByTimeAsync(1000)
  const before = claims
  await vi.advanceTimersByTimeAsync(1000)
  expect(claims).toBe(before + 1)
})

test('a delivery that cannot be set aside keeps no other from being claimed', async () => {
  const { storage, merchant, outcome, worker, delivery } = scene()
  const hook = await receiver()
  for (const id of ['bad', 'good']) await merchant(id, `${hook.url}&of=${id}`)
  await outcome('bad')
  const locked = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  const deliveries: typeof storage.deliveries = {
    ...storage.deliveries,
    async claim(request) {
      const claimed = await storage.deliveries.claim(request)
      return claimed.map(one =>
        one.merchantId === 'bad' ? { ...one, payment: null, fault: 'payment is gone' } : one,
      )
    },
    async record(result) {
      if (result.merchantId === 'bad') {
        asked.resolve()
        await locked.promise
      }
      return storage.deliveries.record(result)
    },
  }
  // So long that the lease does not end what the claim waits for.
  const one = worker({ timeoutSeconds: 100 }, { deliveries })
  one.start()
  await asked.promise
  await outcome('good')
  await hook.got(1)
  expect(await delivery('bad')).toMatchObject({ state: 'pending' })
  locked.resolve()
  await one.stop()
  expect(await delivery('bad')).toMatchObject({ state: 'exhausted' })
})
