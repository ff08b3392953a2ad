import type { Checks } from './capability.ts'
import { claim, notified, only, SUCCESS } from './delivery-scene.ts'
import { UNKNOWN_TEXTS } from './edge-text.ts'
import { at, EVERYTHING, WEBHOOK_URL } from './scene.ts'

export function deliveries({ test, expect }: Checks): void {
  test('a delivery sent again starts over, whatever it was', async scene => {
    const { storage, completed } = scene
    const id = await notified(scene)
    const key = { merchantId: id, paymentId: 1 }
    await completed(id)
    for (const state of ['delivered', 'exhausted', 'pending'] as const) {
      const [held] = await claim(scene, 100)
      if (!held) throw new Error('nothing was claimed')
      const nextAttemptAt = state === 'pending' ? at(500) : null
      const attempt = {
        state,
        nextAttemptAt,
        lastAttemptAt: at(101),
        lastStatus: 500,
        lastError: 'status 500',
      }
      expect(await storage.deliveries.record({ ...held, ...attempt })).toBe(true)
      const before = await only(scene, id)
      const requeued = { ...before, state: 'pending', attempts: 0, nextAttemptAt: at(99.5) }
      expect(await storage.deliveries.requeue(key, at(99.5))).toEqual(requeued)
      expect(await only(scene, id)).toEqual(requeued)
    }
    expect((await claim(scene, 100))[0]?.attempts).toBe(0)
  })

  test('sending again voids the lease on it', async scene => {
    const { storage, completed } = scene
    const id = await notified(scene)
    await completed(id)
    const [held] = await claim(scene, 0, 1000)
    if (!held) throw new Error('nothing was claimed')
    const requeued = await storage.deliveries.requeue(held, at(5))
    expect(await storage.deliveries.record({ ...held, ...SUCCESS, lastAttemptAt: at(6) })).toBe(false)
    expect(await only(scene, id)).toEqual(requeued)
    const [again] = await claim(scene, 5)
    expect((again?.fence ?? 0) > held.fence).toBe(true)
  })

  test('sending again writes a delivery where none was', async scene => {
    const { storage, merchant, completed } = scene
    await scene.leaseLeftovers()
    const { id } = await merchant()
    const payment = await completed(id)
    await storage.merchants.update(id, { webhookUrl: WEBHOOK_URL })
    const written = await storage.deliveries.requeue({ merchantId: id, paymentId: 1 }, at(7.5))
    const never = { lastAttemptAt: null, lastStatus: null, lastError: null }
    expect(written).toEqual({
      ...{ merchantId: id, paymentId: 1, state: 'pending', attempts: 0, nextAttemptAt: at(7.5) },
      ...{ ...never, createdAt: at(7.5) },
    })
    expect(await only(scene, id)).toEqual(written)
    expect((await claim(scene, 8)).map(held => held.payment)).toEqual([payment])
  })

  test('the list goes by newest payment, in slices, by state', async scene => {
    const { storage, completed } = scene
    const id = await notified(scene)
    for (let n = 0; n < 5; n++) await completed(id, {}, at(n))
    for (const held of await claim(scene, 10)) {
      if (held.paymentId % 2 === 0) {
        await storage.deliveries.record({ ...held, ...SUCCESS, lastAttemptAt: at(11) })
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
