import type { Checks } from '../capability.ts'
import { at, EVERYTHING, type Scene } from '../scene.ts'
import { claim, claimOne, failure, notified, success } from './delivery-scene.ts'

/** So that a test purges what is its own. */
async function purgeLeftovers({ storage }: Scene): Promise<void> {
  while ((await storage.deliveries.purge(at(1_000_000), 1000)) > 0);
}

export function housekeeping({ test, expect }: Checks): void {
  test('counts say what is to be done', async scene => {
    const { storage, completed } = scene
    const id = await notified(scene)
    const before = await storage.deliveries.counts(at(0))
    expect([before.due, before.oldestDueAt]).toEqual([0, null])
    for (const seconds of [3, 1, 2, 0, 4]) await completed(id, {}, at(seconds))
    const changes = async (seconds: number) => {
      const { pending, due, oldestDueAt, exhausted, pausedEndpoints } = await storage.deliveries.counts(
        at(seconds),
      )
      return [
        pending - before.pending,
        due,
        oldestDueAt,
        exhausted - before.exhausted,
        pausedEndpoints - before.pausedEndpoints,
      ]
    }
    expect(await changes(2)).toEqual([5, 3, at(0), 0, 0])
    expect(await changes(2.5)).toEqual([5, 3, at(0), 0, 0])
    const [delivered, exhausted, waiting] = await claim(scene, 3, 1000, 3)
    if (!delivered || !exhausted || !waiting) throw new Error('too little was claimed')
    await storage.deliveries.record(success(delivered, 4))
    await storage.deliveries.record(failure(exhausted, 4, null))
    await storage.deliveries.record(failure(waiting, 4, 60))
    expect(await changes(10)).toEqual([3, 2, at(3), 1, 0])
    await storage.endpoints.pause(id, at(4), at(20))
    await claim(scene, 10)
    expect(await changes(100)).toEqual([3, 1, at(60), 1, 1])
  })

  test('delivered ones are purged by age, in batches, with their attempts', async scene => {
    const { storage, completed } = scene
    const id = await notified(scene)
    await purgeLeftovers(scene)
    for (let n = 0; n < 6; n++) await completed(id)
    for (const held of await claim(scene, 0)) {
      const { paymentId } = held
      const result = paymentId === 2 ? failure(held, 2, null) : success(held, paymentId)
      if (paymentId !== 1) await storage.deliveries.record(result)
    }
    expect(await storage.deliveries.purge(at(3), 100)).toBe(0)
    expect(await storage.deliveries.purge(at(5.001), 2)).toBe(2)
    expect(await storage.deliveries.purge(at(5.001), 2)).toBe(1)
    expect(await storage.deliveries.purge(at(5.001), 2)).toBe(0)
    const { items } = await storage.deliveries.list(id, undefined, EVERYTHING)
    expect(items.map(({ paymentId, state }) => [paymentId, state])).toEqual([
      [6, 'delivered'],
      [2, 'exhausted'],
      [1, 'pending'],
    ])
    const kept = await storage.deliveries.attempts(id, [1, 2, 3, 4, 5, 6])
    expect(kept.map(({ paymentId }) => paymentId).sort()).toEqual([2, 6])
  })

  test('those of many merchants are counted as they are purged', async scene => {
    const { storage, completed } = scene
    await purgeLeftovers(scene)
    for (let merchant = 0; merchant < 6; merchant++) {
      const id = await notified(scene)
      for (let n = 0; n < 4; n++) await completed(id)
      for (const held of await claim(scene, 0)) await storage.deliveries.record(success(held, 4))
    }
    expect(await storage.deliveries.purge(at(5), 18)).toBe(18)
    expect(await storage.deliveries.purge(at(5), 18)).toBe(6)
  })

  test('what was purged can be sent again, and old leases stay void', async scene => {
    const { storage, completed } = scene
    const id = await notified(scene)
    await purgeLeftovers(scene)
    await completed(id)
    const stale = [await claimOne(scene, 0, 10), await claimOne(scene, 10, 20), await claimOne(scene, 20, 30)]
    const [last] = stale.slice(-1)
    if (!last) throw new Error('nothing was claimed')
    await storage.deliveries.record(success(last, 21))
    expect(await storage.deliveries.purge(at(22), 10)).toBe(1)
    await storage.deliveries.requeue({ merchantId: id, paymentId: 1 }, at(30))
    const held = await claimOne(scene, 30)
    for (const lease of stale) expect(await storage.deliveries.record(success(lease, 31))).toBe(false)
    expect(await storage.deliveries.attempts(id, [1])).toEqual([])
    expect(await storage.deliveries.record(success(held, 31))).toBe(true)
  })
}
