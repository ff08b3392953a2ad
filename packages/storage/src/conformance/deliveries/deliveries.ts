import type { Checks } from '../capability.ts'
import { UNKNOWN_TEXTS } from '../edge-text.ts'
import { at, EVERYTHING, WEBHOOK_URL } from '../scene.ts'
import { claim, claimOne, failure, notified, only, paymentIds, success } from './delivery-scene.ts'

export function deliveries({ test, expect }: Checks): void {
  test('a delivery sent again starts over, whatever it was', async scene => {
    const { storage, completed } = scene
    const id = await notified(scene)
    const key = { merchantId: id, paymentId: 1 }
    await completed(id)
    for (const n of [0, 1, 2]) {
      const held = await claimOne(scene, 100)
      expect(
        await storage.deliveries.record(
          n === 0 ? success(held, 101) : failure(held, 101, n === 1 ? null : 500),
        ),
      ).toBe(true)
      const before = await only(scene, id)
      const requeued = { ...before, state: 'pending', attempts: 0, nextAttemptAt: at(99.5) }
      expect(await storage.deliveries.requeue(key, at(99.5))).toEqual(requeued)
      expect(await only(scene, id)).toEqual(requeued)
    }
    expect((await claim(scene, 100))[0]?.attempts).toBe(0)
  })

  test('one is found by its key, as lists have it, and none where none was written', async scene => {
    const { storage, completed, merchant } = scene
    const id = await notified(scene)
    const other = await merchant()
    await completed(id)
    await completed(id)
    await completed(other.id)
    for (const held of await claim(scene, 100)) await storage.deliveries.record(failure(held, 101, 500))
    const { items } = await storage.deliveries.list(id, undefined, EVERYTHING)
    expect(items.map(({ paymentId }) => paymentId)).toEqual([2, 1])
    for (const delivery of items) {
      expect(await storage.deliveries.get({ merchantId: id, paymentId: delivery.paymentId })).toEqual(
        delivery,
      )
    }
    const none = [
      { merchantId: id, paymentId: 3 },
      { merchantId: other.id, paymentId: 1 },
      ...UNKNOWN_TEXTS.map(merchantId => ({ merchantId, paymentId: 1 })),
    ]
    for (const key of none) expect(await storage.deliveries.get(key)).toBe(null)
  })

  test('sending again voids the lease on it', async scene => {
    const { storage, completed } = scene
    const id = await notified(scene)
    await completed(id)
    const held = await claimOne(scene, 0, 1000)
    const requeued = await storage.deliveries.requeue(held, at(5))
    expect(await storage.deliveries.record(success(held, 6))).toBe(false)
    expect(await only(scene, id)).toEqual(requeued)
    const [again] = await claim(scene, 5)
    expect((again?.fence ?? 0) > held.fence).toBe(true)
  })

  test('sending again writes a delivery where none was', async scene => {
    const { storage, merchant, completed } = scene
    await scene.leaseLeftovers()
    const { id } = await merchant()
    const payment = await completed(id)
    await storage.merchants.update(id, { webhookUrl: WEBHOOK_URL }, at(0))
    const written = await storage.deliveries.requeue({ merchantId: id, paymentId: 1 }, at(7.5))
    const never = { lastAttemptAt: null, lastStatus: null, lastError: null }
    expect(written).toEqual({
      ...{ merchantId: id, paymentId: 1, state: 'pending', attempts: 0, nextAttemptAt: at(7.5) },
      ...{ ...never, createdAt: at(7.5) },
    })
    expect(await only(scene, id)).toEqual(written)
    expect((await claim(scene, 8)).map(held => held.payment)).toEqual([payment])
  })

  test('a range is sent again since a time, by state', async scene => {
    const { storage, completed } = scene
    const id = await notified(scene)
    const other = await notified(scene)
    for (let n = 1; n <= 6; n++) for (const merchantId of [id, other]) await completed(merchantId, {}, at(n))
    for (const held of await claim(scene, 10)) {
      const ended = held.paymentId % 2 === 0 ? success(held, 11) : failure(held, 11, null)
      await storage.deliveries.record(ended)
    }
    const range = { firstId: 2, lastId: 5, since: at(3) }
    const again = (fields: object) => storage.deliveries.requeueRange(id, { ...range, ...fields }, at(20))
    expect(await again({ since: at(5.001) })).toBe(0)
    expect(await again({ state: 'pending' })).toBe(0)
    expect(await again({ state: 'exhausted' })).toBe(2)
    const before = await claim(scene, 20, 100)
    expect(paymentIds(before).sort()).toEqual([3, 5])
    expect(await again({})).toBe(3)
    // What was under way meanwhile says nothing of what is sent again.
    for (const late of before) expect(await storage.deliveries.record(success(late, 21))).toBe(false)
    const held = await claim(scene, 20, 100)
    expect(
      held.map(({ merchantId, paymentId, attempts }) => [merchantId, paymentId, attempts]).sort(),
    ).toEqual([3, 4, 5].map(paymentId => [id, paymentId, 0]))
    for (const unknown of UNKNOWN_TEXTS) {
      expect(await storage.deliveries.requeueRange(unknown, range, at(20))).toBe(0)
    }
  })

  test('the list goes by newest payment, in slices, by state', async scene => {
    const { storage, completed } = scene
    const id = await notified(scene)
    for (let n = 0; n < 5; n++) await completed(id, {}, at(n))
    for (const held of await claim(scene, 10)) {
      if (held.paymentId % 2 === 0) {
        await storage.deliveries.record(success(held, 11))
      }
    }
    const { items, total } = await storage.deliveries.list(id, undefined, EVERYTHING)
    expect(items.map(({ paymentId }) => paymentId)).toEqual([5, 4, 3, 2, 1])
    expect(total).toBe(5)
    for (const state of ['pending', 'delivered', 'exhausted', undefined] as const) {
      const all = items.filter(delivery => state === undefined || delivery.state === state)
      for (const [skip, limit] of [
        [0, 1],
        [0, 9],
        [1, 1],
        [1, 9],
        [5, 1],
        [Number.MAX_SAFE_INTEGER, 9],
      ] as const) {
        const slice = await storage.deliveries.list(id, state, { skip, limit })
        expect(slice).toEqual({ items: all.slice(skip, skip + limit), total: all.length })
      }
    }
  })

  test('merchants see their own deliveries alone', async scene => {
    const id = await notified(scene)
    await scene.completed(id)
    const other = await scene.merchant({ webhookUrl: WEBHOOK_URL })
    for (const merchantId of [other.id, id.toUpperCase(), ...UNKNOWN_TEXTS]) {
      const list = await scene.storage.deliveries.list(merchantId, undefined, EVERYTHING)
      expect(list).toEqual({ items: [], total: 0 })
    }
  })
}
