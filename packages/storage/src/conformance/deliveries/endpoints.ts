import type { Lease } from '../../delivery-store.ts'
import type { Checks } from '../capability.ts'
import { UNKNOWN_TEXTS } from '../edge-text.ts'
import { at, EVERYTHING, type Scene, WEBHOOK_URL } from '../scene.ts'
import { claim, claimOne, failure, notified, paymentIds, success } from './delivery-scene.ts'

const IN_ORDER = {
  webhookUrl: WEBHOOK_URL,
  webhookKey: null,
  previousWebhookKey: null,
  failingSince: null,
  pausedAt: null,
}

/** A merchant whose endpoint failed at 1 and 11 seconds and was paused at 100, with one delivery that waits until 200. */
async function paused(scene: Scene): Promise<string> {
  const id = await notified(scene)
  await scene.completed(id)
  for (const [seconds, next] of [
    [1, 10],
    [11, 200],
  ] as const) {
    await scene.storage.deliveries.record(failure(await claimOne(scene, seconds), seconds, next))
  }
  if (!(await scene.storage.endpoints.pause(id, at(1), at(100)))) throw new Error('it was not paused')
  return id
}

async function nextAttempts({ storage }: Scene, merchantId: string): Promise<(string | null)[]> {
  const { items } = await storage.deliveries.list(merchantId, undefined, EVERYTHING)
  return items.map(({ nextAttemptAt }) => nextAttemptAt)
}

export function endpoints({ test, expect }: Checks): void {
  test('an endpoint fails from its first failure to a success', async scene => {
    const { storage, completed } = scene
    const id = await notified(scene)
    await storage.merchants.setWebhookKey(id, 'sealed-0')
    const endpoint = { ...IN_ORDER, webhookKey: 'sealed-0' }
    expect(await storage.endpoints.get(id)).toEqual(endpoint)
    await completed(id)
    const first = await claimOne(scene, 0)
    expect(first.failingSince).toBe(null)
    await storage.deliveries.record(failure(first, 1, 6))
    await storage.deliveries.record(failure(await claimOne(scene, 6), 7, 20))
    expect(await storage.endpoints.get(id)).toEqual({ ...endpoint, failingSince: at(1) })
    const third = await claimOne(scene, 20)
    expect(third.failingSince).toBe(at(1))
    await storage.deliveries.record(success(third, 21))
    expect(await storage.endpoints.get(id)).toEqual(endpoint)
    await storage.deliveries.record(failure(third, 22, 30))
    expect(await storage.endpoints.get(id)).toEqual(endpoint)
    for (const unknown of UNKNOWN_TEXTS) expect(await storage.endpoints.get(unknown)).toBe(null)
  })

  test('an endpoint that was not asked learns nothing', async scene => {
    const { storage, completed } = scene
    const id = await notified(scene)
    for (let n = 0; n < 3; n++) await completed(id)
    const [one, two, three] = await claim(scene, 0, 1000)
    if (!one || !two || !three) throw new Error('not all were claimed')
    const unasked = (lease: Lease, seconds: number) => ({ ...failure(lease, seconds, null), asked: false })
    expect(await storage.deliveries.record(unasked(one, 1))).toBe(true)
    expect(await storage.endpoints.get(id)).toEqual(IN_ORDER)
    await Promise.all([
      storage.deliveries.record(unasked(two, 2)),
      storage.deliveries.record(failure(three, 3, 200)),
    ])
    expect(await storage.endpoints.get(id)).toEqual({ ...IN_ORDER, failingSince: at(3) })
    await storage.deliveries.record(unasked(await claimOne(scene, 200), 201))
    expect(await storage.endpoints.get(id)).toEqual({ ...IN_ORDER, failingSince: at(3) })
  })

  test('one that has failed for long enough is paused, by one call', async scene => {
    const { storage, completed } = scene
    const id = await notified(scene)
    expect(await storage.endpoints.pause(id, at(50), at(100))).toBe(false)
    await completed(id)
    await storage.deliveries.record(failure(await claimOne(scene, 0), 1, 200))
    expect(await storage.endpoints.pause(id, at(0.999), at(100))).toBe(false)
    const calls = Array.from({ length: 5 }, () => storage.endpoints.pause(id, at(1), at(100)))
    expect((await Promise.all(calls)).filter(Boolean).length).toBe(1)
    expect(await storage.endpoints.pause(id, at(2), at(101))).toBe(false)
    expect(await storage.endpoints.get(id)).toEqual({
      ...IN_ORDER,
      failingSince: at(1),
      pausedAt: at(100),
    })
    for (const unknown of UNKNOWN_TEXTS) {
      expect(await storage.endpoints.pause(unknown, at(2), at(101))).toBe(false)
    }
  })

  test('while it is paused its deliveries rest, and those of others do not', async scene => {
    const { storage, completed } = scene
    const id = await paused(scene)
    const other = await scene.merchant({ webhookUrl: WEBHOOK_URL })
    for (let n = 0; n < 5; n++) await completed(id, {}, at(150 + n))
    await completed(other.id, {}, at(160))
    const held = await claim(scene, 300, 400, 2)
    expect(held.map(({ merchantId }) => merchantId)).toEqual([other.id])
    expect(await claim(scene, 300)).toEqual([])
    expect(await nextAttempts(scene, id)).toEqual([null, null, null, null, null, null])
    const { items } = await storage.deliveries.list(id, 'pending', EVERYTHING)
    expect(items.map(({ attempts }) => attempts)).toEqual([0, 0, 0, 0, 0, 2])
  })

  test('a delivery that rests is no longer of the lease that it was under', async scene => {
    const { storage } = scene
    const id = await notified(scene)
    await scene.completed(id)
    await storage.deliveries.record(failure(await claimOne(scene, 1), 1, 10))
    const held = await claimOne(scene, 11, 50)
    expect(await storage.endpoints.pause(id, at(1), at(40))).toBe(true)
    expect(await claim(scene, 50)).toEqual([])
    expect(await storage.deliveries.record(failure(held, 51, 200))).toBe(false)
    expect(await nextAttempts(scene, id)).toEqual([null])
  })

  test('a delivery sent again is tried, and its success wakes the endpoint', async scene => {
    const { storage, completed } = scene
    const id = await paused(scene)
    await completed(id, {}, at(150))
    expect(await claim(scene, 300)).toEqual([])
    await storage.deliveries.requeue({ merchantId: id, paymentId: 1 }, at(300))
    expect(await storage.endpoints.get(id)).toEqual({ ...IN_ORDER, failingSince: at(1) })
    const again = await claimOne(scene, 300)
    expect(again.paymentId).toBe(1)
    expect(await nextAttempts(scene, id)).toEqual([null, at(360)])
    await storage.deliveries.record(success(again, 301))
    expect(await storage.endpoints.get(id)).toEqual(IN_ORDER)
    expect(await nextAttempts(scene, id)).toEqual([at(301), null])
    expect(paymentIds(await claim(scene, 302))).toEqual([2])
  })

  test('a delivery sent again that fails may pause it again', async scene => {
    const { storage } = scene
    const id = await paused(scene)
    await storage.deliveries.requeue({ merchantId: id, paymentId: 1 }, at(300))
    await storage.deliveries.record(failure(await claimOne(scene, 300), 301, 310))
    expect(await storage.endpoints.pause(id, at(1), at(302))).toBe(true)
    expect(await claim(scene, 400)).toEqual([])
    expect(await nextAttempts(scene, id)).toEqual([null])
  })

  test('a range of deliveries sent again is tried, and one of none changes nothing', async scene => {
    const { storage } = scene
    const id = await paused(scene)
    const again = (fields: object) =>
      storage.deliveries.requeueRange(id, { firstId: 1, lastId: 1, since: at(0), ...fields }, at(300))
    expect(await again({ state: 'exhausted' })).toBe(0)
    expect(await storage.endpoints.get(id)).toEqual({ ...IN_ORDER, failingSince: at(1), pausedAt: at(100) })
    expect(await again({})).toBe(1)
    expect(await storage.endpoints.get(id)).toEqual({ ...IN_ORDER, failingSince: at(1) })
    expect((await claimOne(scene, 300)).paymentId).toBe(1)
  })

  test('it is woken by hand and by another webhook URL', async scene => {
    const { storage } = scene
    const wakes: ((id: string) => Promise<unknown>)[] = [
      id => storage.endpoints.wake(id, at(500)),
      id => storage.merchants.update(id, { webhookUrl: `${WEBHOOK_URL}/2` }, at(500)),
      id => storage.merchants.update(id, { webhookUrl: null }, at(500)),
    ]
    for (const wake of wakes) {
      const id = await paused(scene)
      expect(await claim(scene, 300)).toEqual([])
      await storage.merchants.update(id, { webhookUrl: WEBHOOK_URL, name: 'Renamed' }, at(400))
      await storage.merchants.update(id, { features: { tips: true } }, at(400))
      expect((await storage.endpoints.get(id))?.pausedAt).toBe(at(100))
      await wake(id)
      const { failingSince, pausedAt } = (await storage.endpoints.get(id)) ?? {}
      expect([failingSince, pausedAt]).toEqual([null, null])
      expect(await claim(scene, 499)).toEqual([])
      expect((await claimOne(scene, 500)).merchantId).toBe(id)
    }
    for (const unknown of UNKNOWN_TEXTS) await storage.endpoints.wake(unknown, at(500))
  })

  test('a wake touches neither leases nor retries', async scene => {
    const { storage, completed } = scene
    const id = await notified(scene)
    for (let n = 0; n < 3; n++) await completed(id)
    const [one, two] = await claim(scene, 0, 1000)
    if (!one || !two) throw new Error('nothing was claimed')
    await storage.deliveries.record(failure(one, 1, 700))
    await storage.deliveries.record(failure(two, 1, null))
    await storage.endpoints.wake(id, at(5))
    const { items } = await storage.deliveries.list(id, undefined, EVERYTHING)
    expect(items.map(({ paymentId, nextAttemptAt }) => [paymentId, nextAttemptAt]).sort()).toEqual(
      [
        [one.paymentId, at(700)],
        [two.paymentId, null],
        [[1, 2, 3].find(n => n !== one.paymentId && n !== two.paymentId), at(1000)],
      ].sort(),
    )
  })

  test('failing ones are listed by merchant, the paused among them', async scene => {
    const { storage, completed } = scene
    const [first, second] = [await notified(scene), await paused(scene)]
    // Added last, and not the last by its id.
    const { id: third } = await scene.merchant({ id: `${first}-b`, webhookUrl: WEBHOOK_URL })
    for (const id of [first, third]) {
      await completed(id)
      await storage.deliveries.record(failure(await claimOne(scene, 150), 150, 160))
    }
    const wanted = [
      { merchantId: first, failingSince: at(150), pausedAt: null },
      { merchantId: second, failingSince: at(1), pausedAt: at(100) },
      { merchantId: third, failingSince: at(150), pausedAt: null },
    ].sort((a, b) => (a.merchantId < b.merchantId ? -1 : 1))
    const listed = async (after: string | undefined, limit: number) =>
      (await storage.endpoints.failing({ after, limit })).filter(({ merchantId }) =>
        [first, second, third].includes(merchantId),
      )
    expect(await listed(undefined, 1000)).toEqual(wanted)
    expect(await listed(wanted[0]?.merchantId, 1)).toEqual([wanted[1]])
    await storage.endpoints.wake(first, at(170))
    expect(await listed(undefined, 1000)).toEqual(wanted.filter(({ merchantId }) => merchantId !== first))
  })

  test('what fails at a URL that was taken away meanwhile says nothing of those to come', async scene => {
    const { storage, completed } = scene
    const id = await notified(scene)
    await completed(id)
    const lease = await claimOne(scene, 0)
    await storage.merchants.update(id, { webhookUrl: null }, at(5))
    expect(await storage.deliveries.record(failure(lease, 16, 1000))).toBe(true)
    expect(await storage.endpoints.get(id)).toEqual({ ...IN_ORDER, webhookUrl: null })
    const listed = await storage.endpoints.failing({ limit: 1000 })
    expect(listed.filter(({ merchantId }) => merchantId === id)).toEqual([])
    await storage.merchants.update(id, { webhookUrl: WEBHOOK_URL }, at(20))
    expect(await storage.endpoints.get(id)).toEqual(IN_ORDER)
  })

  test('paused ones are listed by merchant', async scene => {
    const { storage } = scene
    const first = await paused(scene)
    const second = await paused(scene)
    const pause = { failingSince: at(1), pausedAt: at(100) }
    const list = (after: string | undefined, limit: number) => storage.endpoints.paused({ after, limit })
    const mine = (await list(undefined, 1000)).filter(({ merchantId }) => merchantId >= first)
    expect(mine).toEqual([
      { merchantId: first, ...pause },
      { merchantId: second, ...pause },
    ])
    expect(await list(first, 1)).toEqual([{ merchantId: second, ...pause }])
    expect(await list(second, 10)).toEqual([])
  })
}
