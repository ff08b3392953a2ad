import type { Outcome } from '@tillkit/domain'
import type { ClaimedDelivery } from '../../delivery-store.ts'
import type { Checks } from '../capability.ts'
import { times } from '../races/race.ts'
import { at, COMPLETED, EVERYTHING, type Scene, WEBHOOK_URL } from '../scene.ts'
import { claim, claimOne, failure, notified, only, paymentIds, success } from './delivery-scene.ts'

const FAILED: Outcome = { status: 'error', failure: 'declined' }
const TRACE = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`

/** Whether the store writes deliveries under a lease, or leaves them all to `claim`. */
export async function takesLeases(scene: Scene): Promise<boolean> {
  const { id } = await scene.merchant({ webhookUrl: WEBHOOK_URL })
  const resolved = await scene.storage.payments.resolve(await scene.start(id), COMPLETED, at(0), null, at(60))
  return resolved?.claimed !== undefined
}

/** A started payment of the merchant, its outcome recorded at 0 s under a lease until 60 s. */
async function ended(
  scene: Scene,
  merchantId: string,
  outcome = COMPLETED,
  traceparent: string | null = null,
) {
  const payment = await scene.start(merchantId, { merchantReference: 'order-1', extra: { waiter: 'Ann' } })
  const resolved = await scene.storage.payments.resolve(payment, outcome, at(0), traceparent, at(60))
  if (!resolved?.changed) throw new Error(`payment ${payment.id} was not pending`)
  return resolved
}

/** What the caller holds: handed over by the outcome, or claimed where the store leaves that to `claim`. */
async function held(scene: Scene, merchantId: string): Promise<ClaimedDelivery> {
  return (await ended(scene, merchantId)).claimed ?? claimOne(scene, 0, 60)
}

export function leasedOutcomes({ test, expect }: Checks): void {
  test('what an outcome hands over is what a claim would', async scene => {
    const { storage } = scene
    const id = await notified(scene)
    await storage.merchants.setWebhookKey(id, 'sealed-0')
    for (const [outcome, trace] of [
      [COMPLETED, null],
      [FAILED, TRACE],
    ] as const) {
      const { payment, claimed } = await ended(scene, id, outcome, trace)
      const claimedLater = await claimOne(scene, claimed ? 60 : 0, 120)
      if (!claimed) continue
      const { fence, ...rest } = claimed
      const { fence: later, ...again } = claimedLater
      expect(rest).toEqual(again)
      expect(rest.payment).toEqual(payment)
      expect([rest.webhookKey, rest.traceparent]).toEqual(['sealed-0', trace])
      expect(later > fence).toBe(true)
    }
  })

  test('a delivery that was handed over is nobody else’s until the lease ends', async scene => {
    const id = await notified(scene)
    const { claimed } = await ended(scene, id)
    const { createdAt, nextAttemptAt, attempts, state } = (await only(scene, id)) ?? {}
    expect([createdAt, attempts, state]).toEqual([at(0), 0, 'pending'])
    expect(nextAttemptAt).toBe(claimed ? at(60) : at(0))
    expect(paymentIds(await claim(scene, 59.999))).toEqual(claimed ? [] : [1])
    if (claimed) expect(paymentIds(await claim(scene, 60))).toEqual([1])
  })

  test('outcomes that race hand over what was asked for under a lease, and nothing else', async scene => {
    const { storage, start } = scene
    const id = await notified(scene)
    const leases = await takesLeases(scene)
    const payments = await times(12, () => start(id))
    for (const wanted of [() => false, (n: number) => n % 2 === 0]) {
      const racing = payments.splice(0, 6)
      const resolved = await Promise.all(
        racing.map((payment, n) =>
          storage.payments.resolve(payment, COMPLETED, at(0), null, wanted(n) ? at(60) : null),
        ),
      )
      const handed = resolved.map(one => one?.claimed?.paymentId)
      expect(handed).toEqual(racing.map(({ id }, n) => (leases && wanted(n) ? id : undefined)))
    }
  })

  test('its result is recorded, and it is given back, like any other', async scene => {
    const { deliveries, endpoints } = scene.storage
    const id = await notified(scene)
    const first = await held(scene, id)
    expect(await deliveries.record(success(first, 1))).toBe(true)
    expect(await deliveries.record(success(first, 2))).toBe(false)
    const { state, attempts } = (await only(scene, id)) ?? {}
    expect([state, attempts]).toEqual(['delivered', 1])

    const second = await held(scene, id)
    await deliveries.release([second], at(5))
    expect(await deliveries.record(success(second, 6))).toBe(false)
    const again = await claimOne(scene, 5)
    expect([again.paymentId, again.attempts]).toEqual([2, 0])
    expect(await deliveries.record(failure(again, 6, 100))).toBe(true)
    expect((await endpoints.get(id))?.failingSince).toBe(at(6))
    const third = await held(scene, id)
    expect(third.failingSince).toBe(at(6))
  })

  test('nothing is handed over without a webhook URL, nor by a call that changed nothing', async scene => {
    const { storage, merchant, start } = scene
    const without = await merchant()
    expect((await ended(scene, without.id)).claimed).toBe(undefined)
    expect((await storage.deliveries.list(without.id, undefined, EVERYTHING)).total).toBe(0)

    const { id } = await merchant({ webhookUrl: WEBHOOK_URL })
    const payment = await start(id)
    const answers = await times(8, () => storage.payments.resolve(payment, COMPLETED, at(0), null, at(60)))
    const changed = answers.filter(answer => answer?.changed)
    expect(changed.length).toBe(1)
    const handed = answers.filter(answer => answer?.claimed)
    expect(handed.every(answer => answer?.changed)).toBe(true)
    expect(await storage.payments.resolve({ merchantId: id, id: 2 }, COMPLETED, at(0), null, at(60))).toBe(
      null,
    )
  })

  test('a paused endpoint gets a delivery that rests with its others', async scene => {
    const { storage } = scene
    const id = await notified(scene)
    await storage.deliveries.record(failure(await held(scene, id), 1, 200))
    expect(await storage.endpoints.pause(id, at(1), at(100))).toBe(true)
    expect((await ended(scene, id)).claimed).toBe(undefined)
    // It is due at once, and not when a lease would have ended.
    expect(await claim(scene, 50)).toEqual([])
    const { items } = await storage.deliveries.list(id, 'pending', EVERYTHING)
    expect(items.map(({ nextAttemptAt }) => nextAttemptAt)).toEqual([null, at(200)])
    await storage.endpoints.wake(id, at(300))
    expect(paymentIds(await claim(scene, 300)).sort()).toEqual([1, 2])
  })

  test('so it does where many outcomes come at once', async scene => {
    const { storage, start } = scene
    const id = await notified(scene)
    await storage.deliveries.record(failure(await held(scene, id), 1, 200))
    expect(await storage.endpoints.pause(id, at(1), at(100))).toBe(true)
    const payments = await times(12, () => start(id))
    const answers = await Promise.all(
      payments.map(payment => storage.payments.resolve(payment, COMPLETED, at(0), null, at(60))),
    )
    expect(answers.map(answer => [answer?.changed, answer?.claimed])).toEqual(
      payments.map(() => [true, undefined]),
    )
    expect(await claim(scene, 50)).toEqual([])
    const { items } = await storage.deliveries.list(id, 'pending', EVERYTHING)
    expect(items.map(({ nextAttemptAt }) => nextAttemptAt)).toEqual([...payments.map(() => null), at(200)])
  })

  test('racing outcomes with and without a lease: each is handed over once', async scene => {
    const { storage, start } = scene
    const id = await notified(scene)
    const payments = (await times(24, () => start(id))).toSorted((a, b) => a.id - b.id)
    const answers = await Promise.all(
      payments.map((payment, n) =>
        storage.payments.resolve(payment, n % 5 ? COMPLETED : FAILED, at(0), null, n % 3 ? at(60) : null),
      ),
    )
    const handed = answers.flatMap(answer => answer?.claimed ?? [])
    for (const { claimed, payment } of answers.filter(answer => answer !== null)) {
      if (claimed) expect(claimed.payment).toEqual(payment)
    }
    const due = await claim(scene, 0, 60)
    const ids = [...paymentIds(handed), ...paymentIds(due)].sort((a, b) => a - b)
    expect(ids).toEqual(payments.map(payment => payment.id))
    expect(paymentIds(handed).every(id => (id - 1) % 3 !== 0)).toBe(true)
  })
}
