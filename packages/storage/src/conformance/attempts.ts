import type { Checks } from './capability.ts'
import { claim, notified, only, SUCCESS } from './delivery-scene.ts'
import { LONGEST_TEXT, UNKNOWN_TEXTS } from './edge-text.ts'
import { at } from './scene.ts'

export function attempts({ test, expect }: Checks): void {
  test('a success ends a delivery', async scene => {
    const { storage, completed } = scene
    const id = await notified(scene)
    await completed(id)
    const before = await only(scene, id)
    const [held] = await claim(scene, 1)
    if (!held) throw new Error('nothing was claimed')
    const success = { ...held, ...SUCCESS, lastAttemptAt: at(2.5) }
    expect(await storage.deliveries.record(success)).toBe(true)
    const delivered = { ...before, ...SUCCESS, attempts: 1, lastAttemptAt: at(2.5) }
    expect(await only(scene, id)).toEqual(delivered)
    expect(await claim(scene, 1_000_000)).toEqual([])
    expect(await storage.deliveries.record(success)).toBe(false)
    expect(await only(scene, id)).toEqual(delivered)
  })

  test('a failure waits for its next attempt, the last one is exhausted', async scene => {
    const { storage, completed } = scene
    const id = await notified(scene)
    await completed(id)
    const before = await only(scene, id)
    const [first] = await claim(scene, 0, 60)
    if (!first) throw new Error('nothing was claimed')
    const failure = { lastAttemptAt: at(1), lastStatus: 503, lastError: LONGEST_TEXT }
    const retried = { state: 'pending', nextAttemptAt: at(6.125), ...failure } as const
    expect(await storage.deliveries.record({ ...first, ...retried })).toBe(true)
    expect(await only(scene, id)).toEqual({ ...before, ...retried, attempts: 1 })

    expect(await claim(scene, 6.124)).toEqual([])
    const [second] = await claim(scene, 6.125)
    if (!second) throw new Error('nothing was claimed')
    expect(second.attempts).toBe(1)
    const silence = { lastAttemptAt: at(8), lastStatus: null, lastError: 'no answer within 15 s' }
    const exhausted = { state: 'exhausted', nextAttemptAt: null, ...silence } as const
    expect(await storage.deliveries.record({ ...second, ...exhausted })).toBe(true)
    expect(await only(scene, id)).toEqual({ ...before, ...exhausted, attempts: 2 })
    expect(await claim(scene, 1_000_000)).toEqual([])
  })

  test('who lost the lease writes nothing', async scene => {
    const { storage, completed } = scene
    const id = await notified(scene)
    await completed(id)
    const [stale] = await claim(scene, 0, 60)
    const [held] = await claim(scene, 60, 120)
    if (!stale || !held) throw new Error('nothing was claimed')
    const before = await only(scene, id)
    expect(await storage.deliveries.record({ ...stale, ...SUCCESS, lastAttemptAt: at(61) })).toBe(false)
    expect(await only(scene, id)).toEqual(before)
    const late = { ...held, ...SUCCESS, lastAttemptAt: at(1000) }
    expect(await storage.deliveries.record(late)).toBe(true)
  })

  test('a delivery that is not there is not recorded', async scene => {
    const id = await notified(scene)
    await scene.completed(id)
    const [held] = await claim(scene, 0)
    if (!held) throw new Error('nothing was claimed')
    const result = { ...held, ...SUCCESS, lastAttemptAt: at(1) }
    for (const merchantId of UNKNOWN_TEXTS) {
      expect(await scene.storage.deliveries.record({ ...result, merchantId })).toBe(false)
    }
    expect(await scene.storage.deliveries.record({ ...result, paymentId: 2 })).toBe(false)
    expect((await only(scene, id))?.state).toBe('pending')
  })
}
