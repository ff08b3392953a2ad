import type { Checks } from '../capability.ts'
import { EDGE_TEXTS, UNKNOWN_TEXTS } from '../edge-text.ts'
import { at, COMPLETED, EVERYTHING, WEBHOOK_URL } from '../scene.ts'

export function outcomes({ test, expect }: Checks): void {
  test('a pending payment completes', async ({ storage, merchant, start }) => {
    const { id } = await merchant()
    const payment = await start(id, { merchantReference: 'order-1', extra: { waiter: 'Ann' } })
    const completed = { ...payment, status: 'completed' }
    const resolved = await storage.payments.resolve(payment, COMPLETED, at(90))
    expect(resolved).toEqual({ payment: completed, changed: true })
    expect(await storage.payments.get(payment)).toEqual(completed)
  })

  test('a pending payment fails, for a reason or for none', async ({ storage, merchant, start }) => {
    const { id } = await merchant()
    for (const failure of [null, '', ...EDGE_TEXTS]) {
      const payment = await start(id)
      const failed = { ...payment, status: 'error', failure }
      const resolved = await storage.payments.resolve(payment, { status: 'error', failure }, at(1))
      expect(resolved).toEqual({ payment: failed, changed: true })
      expect(await storage.payments.get(payment)).toEqual(failed)
    }
  })

  test('the first outcome wins and the next learns it', async ({ storage, merchant, start }) => {
    const { id } = await merchant({ webhookUrl: WEBHOOK_URL })
    const outcomes = [COMPLETED, { status: 'error', failure: 'first' }] as const
    for (const first of outcomes) {
      const payment = await start(id)
      const won = await storage.payments.resolve(payment, first, at(1))
      const deliveries = await storage.deliveries.list(id, undefined, EVERYTHING)
      for (const second of [...outcomes, { status: 'error', failure: 'second' } as const]) {
        const lost = await storage.payments.resolve(payment, second, at(2))
        expect(lost).toEqual({ payment: won?.payment, changed: false })
      }
      expect(await storage.payments.get(payment)).toEqual(won?.payment)
      expect(await storage.deliveries.list(id, undefined, EVERYTHING)).toEqual(deliveries)
    }
  })

  test('an outcome touches no other payment', async ({ storage, merchant, start }) => {
    const [one, other] = [await merchant(), await merchant()]
    const others = [await start(one.id), await start(other.id), await start(other.id)]
    const payment = await start(one.id)
    await storage.payments.resolve(payment, COMPLETED, at(1))
    for (const untouched of others) expect(await storage.payments.get(untouched)).toEqual(untouched)
  })

  test('a payment that is not there is null', async ({ storage, merchant, start }) => {
    const [one, other] = [await merchant({ webhookUrl: WEBHOOK_URL }), await merchant()]
    const payment = await start(one.id)
    for (const id of [-1, 0, 2, Number.MAX_SAFE_INTEGER]) {
      expect(await storage.payments.resolve({ merchantId: one.id, id }, COMPLETED, at(1))).toBe(null)
    }
    for (const merchantId of [other.id, one.id.toUpperCase(), ...UNKNOWN_TEXTS]) {
      expect(await storage.payments.resolve({ merchantId, id: 1 }, COMPLETED, at(1))).toBe(null)
    }
    expect(await storage.payments.get(payment)).toEqual(payment)
    expect((await storage.deliveries.list(one.id, undefined, EVERYTHING)).total).toBe(0)
  })

  test('a change writes its delivery, due at once', async ({ storage, merchant, start }) => {
    const { id: merchantId } = await merchant({ webhookUrl: WEBHOOK_URL })
    await start(merchantId)
    await start(merchantId)
    expect((await storage.deliveries.list(merchantId, undefined, EVERYTHING)).total).toBe(0)
    await storage.payments.resolve({ merchantId, id: 2 }, COMPLETED, at(1.001))
    await storage.payments.resolve({ merchantId, id: 1 }, { status: 'error', failure: null }, at(2.5))
    const delivery = (paymentId: number, createdAt: string) => ({
      merchantId,
      paymentId,
      state: 'pending',
      attempts: 0,
      nextAttemptAt: createdAt,
      lastAttemptAt: null,
      lastStatus: null,
      lastError: null,
      createdAt,
    })
    expect(await storage.deliveries.list(merchantId, undefined, EVERYTHING)).toEqual({
      items: [delivery(2, at(1.001)), delivery(1, at(2.5))],
      total: 2,
    })
  })

  test('a delivery is written where there is a webhook URL at the time', async scene => {
    const { storage, merchant, completed } = scene
    const { id } = await merchant()
    await completed(id)
    await storage.merchants.update(id, { webhookUrl: WEBHOOK_URL }, at(0))
    await completed(id)
    await storage.merchants.update(id, { webhookUrl: null }, at(0))
    await completed(id)
    const { items } = await storage.deliveries.list(id, undefined, EVERYTHING)
    expect(items.map(({ paymentId }) => paymentId)).toEqual([2])
  })
}
