import type { Checks } from '../capability.ts'
import { claim, claimOne, failure, notified, success } from '../deliveries/delivery-scene.ts'
import { at, EVERYTHING, WEBHOOK_URL } from '../scene.ts'
import { times } from './race.ts'

export function racingDeliveries({ test, expect }: Checks): void {
  test('racing claims: no delivery is held twice', async scene => {
    const { storage, merchant, completed, leaseLeftovers } = scene
    await leaseLeftovers()
    const merchants = await times(4, () => merchant({ webhookUrl: WEBHOOK_URL }))
    await times(60, n => completed(merchants[n % 4]?.id ?? ''))
    const claims = await times(12, () =>
      storage.deliveries.claim({ now: at(1), leaseUntil: at(61), limit: 10 }),
    )
    const rest = await storage.deliveries.claim({ now: at(1), leaseUntil: at(61), limit: 100 })
    const held = [...claims.flat(), ...rest].map(({ merchantId, paymentId }) => `${merchantId} ${paymentId}`)
    expect(held.length).toBe(60)
    expect(new Set(held).size).toBe(60)
  })

  test('racing records of one lease’s predecessor and its own: the own one counts', async scene => {
    const { storage, merchant, completed, leaseLeftovers } = scene
    await leaseLeftovers()
    const { id } = await merchant({ webhookUrl: WEBHOOK_URL })
    await completed(id)
    const leases = []
    for (const seconds of [0, 60, 120]) {
      const lease = { now: at(seconds), leaseUntil: at(seconds + 60), limit: 1 }
      leases.push(...(await storage.deliveries.claim(lease)))
    }
    const answers = await Promise.all(
      leases.map((lease, n) => storage.deliveries.record(success(lease, 130, { status: 200 + n }))),
    )
    expect(answers).toEqual([false, false, true])
    const [delivery] = (await storage.deliveries.list(id, undefined, EVERYTHING)).items
    expect([delivery?.attempts, delivery?.lastStatus]).toEqual([1, 202])
  })

  test('one result recorded many times at once counts once', async scene => {
    const { storage, completed } = scene
    const id = await notified(scene)
    await completed(id)
    const result = failure(await claimOne(scene, 0), 1, 60)
    const answers = await times(8, () => storage.deliveries.record(result))
    expect(answers.filter(Boolean).length).toBe(1)
    expect((await storage.deliveries.attempts(id, [1])).length).toBe(1)
  })

  test('results of many deliveries recorded at once are all there', async scene => {
    const { storage, completed } = scene
    const merchants = [await notified(scene), await notified(scene), await notified(scene)]
    for (let n = 0; n < 60; n++) await completed(merchants[n % 3] ?? '')
    const held = await claim(scene, 1)
    const answers = await Promise.all(
      held.map((lease, n) =>
        storage.deliveries.record(
          n % 2 === 0 ? success(lease, 2) : failure(lease, 2, n % 4 === 1 ? null : 60),
        ),
      ),
    )
    expect(answers.filter(Boolean).length).toBe(60)
    const states = await Promise.all(
      merchants.map(async id => (await storage.deliveries.list(id, undefined, EVERYTHING)).items),
    )
    expect(states.flat().every(({ attempts }) => attempts === 1)).toBe(true)
    const inState = (wanted: string) => states.flat().filter(({ state }) => state === wanted).length
    expect([inState('delivered'), inState('exhausted'), inState('pending')]).toEqual([30, 15, 15])
  })

  test('pauses and wakes racing with claims lose no delivery', async scene => {
    const { storage, completed } = scene
    const id = await notified(scene)
    await completed(id)
    await storage.deliveries.record(failure(await claimOne(scene, 0), 1, 100))
    for (let n = 0; n < 20; n++) await completed(id, {}, at(2))
    const [, , ...claims] = await Promise.all([
      storage.endpoints.pause(id, at(1), at(3)),
      storage.endpoints.wake(id, at(3)),
      ...Array.from({ length: 6 }, () => claim(scene, 4, 1000, 3)),
    ])
    await storage.endpoints.wake(id, at(5))
    const rest = await claim(scene, 6, 1000)
    expect(claims.flat().length + rest.length).toBe(20)
  })
}
