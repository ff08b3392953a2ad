import type { Checks } from '../capability.ts'
import { UNKNOWN_TEXTS } from '../edge-text.ts'
import { at, EVERYTHING, WEBHOOK_URL } from '../scene.ts'
import { claim, failure, notified, only, paymentIds } from './delivery-scene.ts'

export function claims({ test, expect }: Checks): void {
  test('a claim hands over all that an attempt takes', async scene => {
    const { storage, completed } = scene
    const id = await notified(scene)
    const payment = await completed(id, { merchantReference: 'order-1', extra: { waiter: 'Ann' } })
    const [first] = await claim(scene, 0, 60)
    const { fence, ...rest } = first ?? { fence: 0 }
    const addressed = {
      merchantId: id,
      paymentId: 1,
      payment,
      webhookUrl: WEBHOOK_URL,
      webhookKey: null,
      previousWebhookKey: null,
      traceparent: null,
    }
    expect(rest).toEqual({ ...addressed, attempts: 0, failingSince: null })
    expect(Number.isSafeInteger(fence)).toBe(true)

    await storage.merchants.setWebhookKey(id, 'sealed-0')
    await storage.merchants.setWebhookKey(id, 'sealed-1')
    await storage.merchants.update(id, { webhookUrl: `${WEBHOOK_URL}/2` }, at(0))
    const [second] = await claim(scene, 60)
    expect([second?.webhookKey, second?.webhookUrl]).toEqual(['sealed-1', `${WEBHOOK_URL}/2`])
    await storage.merchants.update(id, { webhookUrl: null }, at(0))
    const [third] = await claim(scene, 120)
    expect([third?.webhookKey, third?.webhookUrl]).toEqual(['sealed-1', null])
  })

  test('a delivery is claimed when its time has come', async scene => {
    const id = await notified(scene)
    await scene.completed(id, {}, at(0.5))
    expect(await claim(scene, 0.499)).toEqual([])
    expect(paymentIds(await claim(scene, 0.5))).toEqual([1])
  })

  test('a leased delivery is nobody else’s until the lease ends', async scene => {
    const id = await notified(scene)
    await scene.completed(id)
    const [first] = await claim(scene, 0, 60.25)
    expect((await only(scene, id))?.nextAttemptAt).toBe(at(60.25))
    expect(await claim(scene, 0)).toEqual([])
    expect(await claim(scene, 60.249)).toEqual([])
    const [second] = await claim(scene, 60.25)
    expect((second?.fence ?? 0) > (first?.fence ?? 0)).toBe(true)
    expect(second?.attempts).toBe(0)
  })

  test('the longest due come first, up to the limit', async scene => {
    const id = await notified(scene)
    for (const seconds of [3, 1, 4, 2]) await scene.completed(id, {}, at(seconds))
    expect(paymentIds(await claim(scene, 10, 70, 3))).toEqual([2, 4, 1])
    expect(paymentIds(await claim(scene, 10, 70, 3))).toEqual([3])
    expect(await claim(scene, 10, 70, 3)).toEqual([])
  })

  test('deliveries of all merchants are claimed together', async scene => {
    const one = await notified(scene)
    const other = await notified(scene)
    await scene.completed(one, {}, at(1))
    await scene.completed(other, {}, at(2))
    await scene.completed(one, {}, at(3))
    const claimed = await claim(scene, 10)
    expect(claimed.map(({ merchantId }) => merchantId)).toEqual([one, other, one])
  })

  test('a delivery without its payment keeps no other back, and says what it lacks', async scene => {
    const { storage, completed } = scene
    const id = await notified(scene)
    await storage.deliveries.requeue({ merchantId: id, paymentId: 9 }, at(0))
    const payment = await completed(id, {}, at(1))
    const [lacking, whole] = await claim(scene, 10, 70, 2)
    if (!lacking || !whole) throw new Error('not both were claimed')
    expect([lacking.paymentId, lacking.payment, typeof lacking.fault]).toEqual([9, null, 'string'])
    expect([whole.paymentId, whole.payment]).toEqual([1, payment])
    const aside = { ...failure(lacking, 11, null, { status: null, error: 'payment is gone' }), asked: false }
    expect(await storage.deliveries.record(aside)).toBe(true)
    expect(paymentIds(await claim(scene, 1000))).toEqual([1])
    const { items } = await storage.deliveries.list(id, 'exhausted', EVERYTHING)
    expect(items.map(({ paymentId, lastError }) => [paymentId, lastError])).toEqual([[9, 'payment is gone']])
  })

  test('those of left-out merchants stay due', async scene => {
    const crowd = [await notified(scene), await notified(scene), await notified(scene)]
    const other = await notified(scene)
    for (let n = 0; n < 10; n++) for (const id of crowd) await scene.completed(id, {}, at(n))
    await scene.completed(other, {}, at(20))
    const request = { now: at(30), leaseUntil: at(90), limit: 5 }
    const unknown = Array.from({ length: 40 }, (_, n) => `nobody-${n}`)
    const held = await scene.storage.deliveries.claim({
      ...request,
      exceptMerchants: [...unknown, ...crowd, ...crowd],
    })
    expect(held.map(({ merchantId }) => merchantId)).toEqual([other])
    for (const exceptMerchants of [[], ...UNKNOWN_TEXTS.map(text => [text])]) {
      const one = { ...request, exceptMerchants, limit: 1 }
      expect((await scene.storage.deliveries.claim(one)).length).toBe(1)
    }
    const [first = '', ...others] = crowd
    const rest = await scene.storage.deliveries.claim({ ...request, exceptMerchants: [first], limit: 100 })
    expect([...new Set(rest.map(({ merchantId }) => merchantId))].sort()).toEqual(others)
  })

  test('of one merchant’s only, all others stay due', async scene => {
    const one = await notified(scene)
    const other = await notified(scene)
    for (let n = 0; n < 8; n++) await scene.completed(n % 2 ? one : other, {}, at(n))
    const request = { now: at(30), leaseUntil: at(90), limit: 100 }
    const { deliveries } = scene.storage
    for (const onlyMerchant of ['nobody', ...UNKNOWN_TEXTS]) {
      expect(await deliveries.claim({ ...request, onlyMerchant })).toEqual([])
    }
    expect(await deliveries.claim({ ...request, onlyMerchant: one, exceptMerchants: [one] })).toEqual([])
    expect(paymentIds(await deliveries.claim({ ...request, onlyMerchant: one, limit: 3 }))).toEqual([1, 2, 3])
    const rest = await deliveries.claim({ ...request, onlyMerchant: one })
    expect(rest.map(({ merchantId, paymentId }) => [merchantId, paymentId])).toEqual([[one, 4]])
    const others = await deliveries.claim(request)
    expect(others.map(({ merchantId }) => merchantId)).toEqual([other, other, other, other])
  })
}
