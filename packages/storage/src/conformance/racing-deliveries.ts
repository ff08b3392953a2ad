import type { Checks } from './capability.ts'
import { times } from './race.ts'
import { at, EVERYTHING, WEBHOOK_URL } from './scene.ts'

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
      leases.map((lease, n) => {
        const result = {
          state: 'delivered',
          nextAttemptAt: null,
          lastStatus: 200 + n,
          lastError: null,
        } as const
        return storage.deliveries.record({ ...lease, ...result, lastAttemptAt: at(130) })
      }),
    )
    expect(answers).toEqual([false, false, true])
    const [delivery] = (await storage.deliveries.list(id, undefined, EVERYTHING)).items
    expect([delivery?.attempts, delivery?.lastStatus]).toEqual([1, 202])
  })
}
