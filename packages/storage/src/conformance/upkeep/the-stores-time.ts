import { type Instant, instant, secondOf, type WireDate } from '@tillkit/domain'
import type { Checks } from '../capability.ts'
import { aPayment, at, COMPLETED, EVERYTHING, newReference, type Scene, WEBHOOK_URL } from '../scene.ts'

/** What a store says its time was before `work` and after it; null for a store without a time of its own. */
async function during<Result>({ storage }: Scene, work: () => Promise<Result>) {
  if (!storage.time) return null
  const before = instant(await storage.time())
  const result = await work()
  return { before, result, after: instant(await storage.time()) }
}

/** Dates are whole seconds: the one that the time fell in is part of the span. */
function isWithin(date: WireDate, { before, after }: { before: Instant; after: Instant }): boolean {
  return secondOf(before) <= date && date <= secondOf(after)
}

/** A store that has no `time` is never told `now: null`, and passes. */
export function theStoresTime({ test, expect }: Checks): void {
  test('is a valid date that goes on', async scene => {
    const span = await during(scene, async () => {})
    if (span) expect(span.before <= span.after).toBe(true)
  })

  test('dates a payment whose start is told none', async scene => {
    const { storage, merchant } = scene
    const { id } = await merchant()
    for (const fields of [{}, { attemptKey: 'a' }, { strict: true }]) {
      const span = await during(scene, () => storage.payments.start(aPayment(id, fields), null))
      if (!span) continue
      const { payment } = span.result
      expect(isWithin(payment.date, span)).toBe(true)
      expect(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(payment.date)).toBe(true)
      expect(await storage.payments.get(payment)).toEqual(payment)
    }
  })

  test('dates a cash up that is told none', async scene => {
    const { storage, merchant } = scene
    const { id } = await merchant()
    const cashUp = { reference: newReference(), idempotencyKey: null, now: null }
    const span = await during(scene, () => storage.cashUps.create(id, cashUp))
    if (!span) return
    expect(isWithin(span.result.date, span)).toBe(true)
    expect(await storage.cashUps.list(id, EVERYTHING)).toEqual({ items: [span.result], total: 1 })
  })

  test('is no reason to date a payment or cash up before the last one', async scene => {
    const { storage, merchant, start, cashUp } = scene
    if (!storage.time) return
    const { id } = await merchant()
    const future = at(3_000_000_000)
    expect((await start(id, {}, future)).date).toBe(secondOf(future))
    expect((await storage.payments.start(aPayment(id), null)).payment.date).toBe(secondOf(future))
    const now = null
    const later = await storage.cashUps.create(id, { reference: newReference(), idempotencyKey: null, now })
    expect(later.date).toBe(secondOf(future))
    await cashUp(id, at(3_000_000_060))
    expect((await storage.payments.start(aPayment(id), null)).payment.date).toBe(secondOf(at(3_000_000_060)))
  })

  test('is when the delivery of an outcome is due that is told none', async scene => {
    const { storage, merchant, start } = scene
    const { id } = await merchant({ webhookUrl: WEBHOOK_URL })
    const payment = await start(id, { strict: true, merchantReference: 'order-1' })
    const refused = aPayment(id, { strict: true, merchantReference: 'order-1' })
    const span = await during(scene, async () => {
      await storage.payments.resolve(payment, COMPLETED, null)
      await storage.payments.start(refused, null)
    })
    if (!span) return
    const { items } = await storage.deliveries.list(id, undefined, EVERYTHING)
    expect(items.map(({ paymentId }) => paymentId)).toEqual([2, 1])
    for (const { createdAt, nextAttemptAt } of items) {
      expect(span.before <= createdAt && createdAt <= span.after).toBe(true)
      expect(nextAttemptAt !== null && span.before <= nextAttemptAt && nextAttemptAt <= span.after).toBe(true)
    }
  })

  test('is what a key is judged by that is asked for with none', async ({ storage, merchant }) => {
    if (!storage.time) return
    const { id: merchantId } = await merchant()
    const now = await storage.time()
    const hashes = ['live', 'dead'].map(name => `${name}-${merchantId}`) as [string, string]
    for (const [n, seconds] of [3600, -1].entries()) {
      const expiresAt = instant(new Date(now.getTime() + 1000 * seconds))
      const key = { id: `key-${n}`, merchantId, label: null, createdAt: at(0), expiresAt }
      await storage.apiKeys.add(key, hashes[n] ?? '')
    }
    const secondsLeft = (await storage.apiKeys.findMerchant(hashes[0], null))?.secondsLeft ?? 0
    expect(secondsLeft > 0 && secondsLeft <= 3601).toBe(true)
    expect(await storage.apiKeys.findMerchant(hashes[1], null)).toBe(null)
  })

  test('is what a claim goes by that is told none', async scene => {
    const { storage, merchant, completed, start, leaseLeftovers } = scene
    if (!storage.time) return
    await leaseLeftovers()
    const { id } = await merchant({ webhookUrl: WEBHOOK_URL })
    await completed(id, {}, at(3_000_000_000))
    const { id: paymentId } = await start(id)
    await storage.payments.resolve({ merchantId: id, id: paymentId }, COMPLETED, null)
    const claim = { now: null, leaseUntil: at(3_000_000_060), limit: 10 }
    expect((await storage.deliveries.claim(claim)).map(claimed => claimed.paymentId)).toEqual([paymentId])
    expect(await storage.deliveries.claim(claim)).toEqual([])
  })
}
