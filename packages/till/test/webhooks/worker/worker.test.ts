import type { ClaimedDelivery, DeliveryStore, Storage } from '@tillkit/storage'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { heldReceiver, receiver } from '../receiver.ts'
import { scene } from '../scene.ts'

type Claim = () => Promise<ClaimedDelivery[]>

/** The deliveries of a storage, which are claimed by way of a test. */
function claimedBy({ deliveries }: Storage, way: (claim: Claim) => ReturnType<Claim>): DeliveryStore {
  return { ...deliveries, claim: request => way(() => deliveries.claim(request)) }
}

describe('the loop', () => {
  test('delivers what is there when it starts, and what is committed after, when woken', async () => {
    const { storage, merchant, outcome, worker } = scene()
    const hook = await receiver()
    await merchant('m1', hook.url)
    await outcome('m1')
    const claims: number[] = []
    const emptied = Promise.withResolvers<void>()
    const deliveries = claimedBy(storage, async claim => {
      const claimed = await claim()
      claims.push(claimed.length)
      if (claimed.length === 0) emptied.resolve()
      return claimed
    })
    const it = worker({}, { deliveries })
    it.start()
    it.start()
    await hook.got(1)
    it.wake()
    await emptied.promise
    const looks = claims.length
    await outcome('m1')
    it.wake()
    await hook.got(2)
    // It looks by itself as well, when its time has come.
    expect(claims.slice(looks).filter(count => count > 0)).toEqual([1])
    await it.stop()
  })

  test('a wake while it claims is not missed', async () => {
    // It looks no more by itself.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { storage, merchant, outcome, worker } = scene()
    const hook = await receiver()
    await merchant('m1', hook.url)
    const claiming = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    let claims = 0
    const deliveries = claimedBy(storage, async claim => {
      const claimed = await claim()
      if (claims++ > 0) return claimed
      claiming.resolve()
      await goOn.promise
      return claimed
    })
    const it = worker({}, { deliveries })
    it.start()
    await claiming.promise
    await outcome('m1')
    it.wake()
    goOn.resolve()
    await hook.got(1)
    expect(claims).toBe(2)
  })

  test('finds by itself what nobody woke it for', async () => {
    const { merchant, outcome, worker } = scene()
    const hook = await receiver()
    await merchant('m1', hook.url)
    worker().start()
    await outcome('m1')
    await hook.got(1)
  })

  test('stop waits for what is in flight and its result, and start goes on after it', async () => {
    const { merchant, outcome, worker, delivery } = scene()
    const hook = await heldReceiver()
    await merchant('m1', hook.url)
    await outcome('m1')
    const it = worker()
    it.start()
    await hook.got(1)
    let stopped = false
    const stop = Promise.all([it.stop(), it.stop()]).then(() => {
      stopped = true
    })
    await new Promise(resolve => setImmediate(resolve))
    expect(stopped).toBe(false)
    hook.release()
    await stop
    expect(await delivery('m1')).toMatchObject({ state: 'delivered', attempts: 1 })

    await outcome('m1')
    it.wake()
    expect(hook.received).toHaveLength(1)
    it.start()
    await hook.got(2)
    hook.release()
    await it.stop()
    expect(await delivery('m1', 2)).toMatchObject({ state: 'delivered' })
    await it.stop()
  })

  test('a stop keeps no connection', async () => {
    const { merchant, outcome, worker } = scene()
    const hook = await receiver()
    await merchant('m1', hook.url)
    await outcome('m1')
    await outcome('m1')
    const it = worker({ concurrency: 1 })
    expect(await it.deliverDue()).toEqual({ delivered: 2, failed: 0 })
    const before = hook.connections()
    await it.stop()
    await outcome('m1')
    await it.deliverDue()
    expect(hook.connections()).toBe(before + 1)
  })

  test('start during a stop starts again once it has stopped; the last word counts', async () => {
    const { merchant, outcome, worker } = scene()
    const hook = await heldReceiver()
    await merchant('m1', hook.url)
    await outcome('m1')
    const it = worker()
    it.start()
    await hook.got(1)
    const stop = it.stop()
    it.start()
    hook.release()
    await stop
    await outcome('m1')
    it.wake()
    await hook.got(2)
    hook.release()
  })

  test('what was claimed and not begun is given back when the worker stops, and its lease is void', async () => {
    const { storage, merchant, outcome, worker, delivery, clock } = scene()
    const hook = await heldReceiver()
    await merchant('m1', hook.url)
    await outcome('m1')
    await outcome('m1')
    const leases: Parameters<typeof storage.deliveries.release>[0][] = []
    const deliveries = {
      ...storage.deliveries,
      async release(...given: Parameters<typeof storage.deliveries.release>) {
        leases.push(given[0])
        return storage.deliveries.release(...given)
      },
    }
    const it = worker({ concurrency: 1 }, { deliveries })
    it.start()
    await hook.got(1)
    const stop = it.stop()
    hook.release()
    await stop
    expect(leases).toEqual([[{ merchantId: 'm1', paymentId: 2, fence: 1 }]])
    expect(await delivery('m1', 2)).toMatchObject({
      state: 'pending',
      attempts: 0,
      nextAttemptAt: clock().toISOString(),
    })
    const counts = it.deliverDue()
    await hook.got(2)
    hook.release()
    expect(await counts).toEqual({ delivered: 1, failed: 0 })
  })

  test('what would wait for long behind a receiver that hangs is given back, due the later the more of it there is', async () => {
    const { storage, merchant, outcome, worker, clock, pass } = scene()
    const hook = await heldReceiver()
    const merchants = Array.from({ length: 20 }, (_, n) => `m${n}`)
    for (const id of merchants) {
      await merchant(id, hook.url)
      await outcome(id)
    }
    const it = worker({ concurrency: 1 })
    it.start()
    const leased = 10
    const secondsUntilDue = async () => {
      const lists = merchants.map(id => storage.deliveries.list(id, undefined, { skip: 0, limit: 1 }))
      const items = (await Promise.all(lists)).flatMap(({ items }) => items)
      const seconds = items.map(({ nextAttemptAt }) => (Date.parse(nextAttemptAt ?? '') - +clock()) / 1000)
      return seconds.filter(time => time < leased).sort((a, b) => a - b)
    }
    // Beside the one in flight eight wait; the rest goes back by one and then by twos, four for each second.
    const due = [1, 1.25, 1.25, 1.75, 1.75, 2.25, 2.25, 2.75, 2.75, 3.25, 3.25]
    await vi.waitFor(async () => expect(await secondsUntilDue()).toEqual(due), { timeout: 60_000 })
    // All of it is due again, and there is room for none: it goes back by twos, counted from nothing.
    pass(4)
    it.wake()
    const again = [1, 1, 1.5, 1.5, 2, 2, 2.5, 2.5, 3, 3, 3.5]
    await vi.waitFor(async () => expect(await secondsUntilDue()).toEqual(again), { timeout: 60_000 })
    const stop = it.stop()
    hook.release()
    expect(await stop).toMatchObject({ attempts: 1, givenBack: 8 })
  })

  test('claims no more while it sets aside what cannot be sent', async () => {
    const { storage, merchant, outcome, worker } = scene()
    await merchant('m1', 'http://127.0.0.1:1/')
    for (let payment = 0; payment < 5; payment++) await outcome('m1')
    const setAside = Promise.withResolvers<void>()
    let [claims, recorded] = [0, 0]
    const deliveries = claimedBy(storage, async claim => {
      claims += 1
      const claimed = await claim()
      return claimed.map(({ payment: _, ...one }) => ({ ...one, payment: null, fault: 'payment is gone' }))
    })
    deliveries.record = async result => {
      recorded += 1
      await setAside.promise
      return storage.deliveries.record(result)
    }
    const counts = worker({ concurrency: 1 }, { deliveries }).deliverDue()
    for (let turn = 0; turn < 20; turn++) await new Promise(resolve => setImmediate(resolve))
    expect([claims, recorded]).toEqual([1, 2])
    setAside.resolve()
    expect(await counts).toEqual({ delivered: 0, failed: 5 })
  })

  test('stops though the storage takes no leases back, and says so', async () => {
    const { storage, merchant, outcome, worker, lines } = scene()
    const hook = await heldReceiver()
    await merchant('m1', hook.url)
    await outcome('m1')
    await outcome('m1')
    const release = () => Promise.reject(new Error('the database is away'))
    const it = worker({ concurrency: 1 }, { deliveries: { ...storage.deliveries, release } })
    it.start()
    await hook.got(1)
    const stop = it.stop()
    hook.release()
    expect(await stop).toMatchObject({ attempts: 1, givenBack: 0, givenUp: 0 })
    expect(lines.map(({ message }) => message)).toContain('webhooks not given back')
  })

  test('goes on after the storage failed to claim', async () => {
    const { storage, merchant, outcome, worker, lines } = scene()
    const hook = await receiver()
    await merchant('m1', hook.url)
    await outcome('m1')
    let claims = 0
    const deliveries = claimedBy(storage, async claim => {
      if (claims++ === 0) throw new Error('the database is away')
      return claim()
    })
    worker({}, { deliveries }).start()
    await hook.got(1)
    expect(lines[0]).toEqual({
      level: 'error',
      fields: { error: 'the database is away' },
      message: 'no webhooks claimed',
    })
  })
})

describe('deliverDue', () => {
  test('delivers more than the window holds, each once', async () => {
    const { merchant, outcome, worker } = scene()
    const hooks = await Promise.all([receiver(), receiver(), receiver(500)])
    for (const [index, { url }] of hooks.entries()) {
      await merchant(`m${index}`, url)
      for (let payment = 0; payment < 100; payment++) await outcome(`m${index}`)
    }
    expect(await worker({ concurrency: 4 }).deliverDue()).toEqual({ delivered: 200, failed: 100 })
    for (const { received } of hooks) {
      expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(100)
      expect(received).toHaveLength(100)
    }
  })

  test('beside the loop and beside another worker, nothing is delivered twice', async () => {
    const { merchant, outcome, worker } = scene()
    const hook = await receiver()
    await merchant('m1', hook.url)
    for (let payment = 0; payment < 300; payment++) await outcome('m1')
    const [one, two] = [worker({ concurrency: 8 }), worker({ concurrency: 8 })]
    one.start()
    two.start()
    await Promise.all([one.deliverDue(), two.deliverDue(), one.deliverDue()])
    await Promise.all([one.stop(), two.stop()])
    expect(hook.received).toHaveLength(300)
    expect(new Set(hook.received.map(({ headers }) => headers['webhook-id'])).size).toBe(300)
  })

  test('waits for what the loop has in flight, and counts it', async () => {
    const { merchant, outcome, worker } = scene()
    const hook = await heldReceiver()
    await merchant('m1', hook.url)
    await outcome('m1')
    const it = worker()
    it.start()
    await hook.got(1)
    const counts = it.deliverDue()
    hook.release(503)
    expect(await counts).toEqual({ delivered: 0, failed: 1 })
  })

  test('counts what the loop has in flight when it begins or takes up meanwhile, whenever that ends', async () => {
    const { storage, merchant, outcome, worker, delivery } = scene()
    const hook = await heldReceiver()
    await merchant('m1', hook.url)
    const asked = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    let isHeld = false
    const deliveries = claimedBy(storage, async claim => {
      if (isHeld) {
        isHeld = false
        asked.resolve()
        await goOn.promise
      }
      return claim()
    })
    await outcome('m1')
    const it = worker({}, { deliveries })
    it.start()
    await hook.got(1)
    isHeld = true
    const counts = it.deliverDue()
    await asked.promise
    hook.release(503)
    await vi.waitUntil(async () => (await delivery('m1'))?.attempts === 1, { timeout: 60_000 })
    await outcome('m1')
    it.wake()
    await hook.got(2)
    goOn.resolve()
    for (let turn = 0; turn < 20; turn++) await new Promise(resolve => setImmediate(resolve))
    hook.release()
    expect(await counts).toEqual({ delivered: 1, failed: 1 })
  })

  test('waits for what the loop is just being handed out', async () => {
    const { storage, merchant, outcome, worker } = scene()
    const hook = await receiver()
    await merchant('m1', hook.url)
    await outcome('m1')
    const leased = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    const deliveries = claimedBy(storage, async claim => {
      const claimed = await claim()
      if (claimed.length > 0) {
        leased.resolve()
        await goOn.promise
      }
      return claimed
    })
    const it = worker({}, { deliveries })
    it.start()
    await leased.promise
    const counts = it.deliverDue()
    for (let turn = 0; turn < 20; turn++) await new Promise(resolve => setImmediate(resolve))
    goOn.resolve()
    expect(await counts).toEqual({ delivered: 1, failed: 0 })
  })

  test('during a stop waits for it, and delivers then', async () => {
    const { merchant, outcome, worker } = scene()
    const hook = await heldReceiver()
    await merchant('m1', hook.url)
    await outcome('m1')
    await outcome('m1')
    const it = worker({ concurrency: 1 })
    it.start()
    await hook.got(1)
    const stop = it.stop()
    const counts = it.deliverDue()
    hook.release()
    await stop
    await hook.got(2)
    hook.release()
    expect(await counts).toEqual({ delivered: 1, failed: 0 })
  })

  test('rejects when the storage fails', async () => {
    const { storage, worker } = scene()
    const deliveries = {
      ...storage.deliveries,
      claim: () => Promise.reject(new Error('the database is away')),
    }
    await expect(worker({}, { deliveries }).deliverDue()).rejects.toThrow('the database is away')
  })
})
