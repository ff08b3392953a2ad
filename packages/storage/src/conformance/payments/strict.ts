import type { NewPayment, Payment } from '@tillkit/domain'
import type { Checks } from '../capability.ts'
import { EDGE_TEXTS } from '../edge-text.ts'
import { at, COMPLETED, dateAt, EVERYTHING, type Scene, WEBHOOK_URL } from '../scene.ts'

const STRICT: Partial<NewPayment> = { strict: true, merchantReference: 'order-1' }
const LOOSE: Partial<NewPayment> = { strict: false, merchantReference: 'order-1' }

const verdict = ({ status, failure }: Payment) => failure ?? status

export function strict({ test, expect }: Checks): void {
  test('a reference that a pending or completed payment has is taken', async scene => {
    const { merchant, start, completed } = scene
    for (const first of [STRICT, LOOSE]) {
      const [one, other] = [await merchant(), await merchant()]
      await start(one.id, first)
      await completed(other.id, first)
      expect(verdict(await start(one.id, STRICT))).toBe('reference_taken')
      expect(verdict(await start(other.id, STRICT))).toBe('reference_taken')
    }
  })

  test('a reference is free again once its payments have failed', async ({
    storage,
    merchant,
    start,
    failed,
  }) => {
    const { id } = await merchant()
    await failed(id, LOOSE)
    const second = await start(id, STRICT)
    expect(verdict(second)).toBe('pending')
    await storage.payments.resolve(second, { status: 'error', failure: 'declined' }, at(1))
    const third = await start(id, STRICT)
    expect(verdict(third)).toBe('pending')
    await storage.payments.resolve(third, COMPLETED, at(1))
    expect(verdict(await start(id, STRICT))).toBe('reference_taken')
  })

  test('a settled payment in a closed period still holds its reference', async scene => {
    const { storage, merchant, completed, cashUp, start } = scene
    const { id } = await merchant()
    await completed(id, STRICT)
    await cashUp(id)
    await storage.payments.settle(id, 'BANK-1', [1])
    expect(verdict(await start(id, STRICT))).toBe('reference_taken')
  })

  test('a refused payment holds nothing', async ({ merchant, start }) => {
    const { id } = await merchant()
    const tooLow = { ...STRICT, requiredAmount: 100, totalAmount: 99 }
    expect(verdict(await start(id, tooLow))).toBe('amount_too_low')
    expect(verdict(await start(id, STRICT))).toBe('pending')
  })

  test('payments that are not strict are never refused', async ({ merchant, start }) => {
    const { id } = await merchant()
    await start(id, STRICT)
    expect(verdict(await start(id, { ...LOOSE, requiredAmount: 100, totalAmount: 1 }))).toBe('pending')
    expect(verdict(await start(id, LOOSE))).toBe('pending')
  })

  test('strict with a reference alone, an amount alone, or neither', async ({ merchant, start }) => {
    const { id } = await merchant()
    const amount = { strict: true, requiredAmount: 100 }
    expect(verdict(await start(id, { strict: true }))).toBe('pending')
    expect(verdict(await start(id, { strict: true }))).toBe('pending')
    expect(verdict(await start(id, { ...amount, totalAmount: 100 }))).toBe('pending')
    expect(verdict(await start(id, { ...amount, totalAmount: 99 }))).toBe('amount_too_low')
    expect(verdict(await start(id, { ...amount, totalAmount: 110, tipAmount: 10 }))).toBe('pending')
    expect(verdict(await start(id, { ...amount, totalAmount: 109, tipAmount: 10 }))).toBe('amount_too_low')
    expect(verdict(await start(id, { ...amount, totalAmount: 0, requiredAmount: 0 }))).toBe('pending')
    expect(verdict(await start(id, { ...STRICT, requiredAmount: 100, totalAmount: 100 }))).toBe('pending')
    expect(verdict(await start(id, { ...STRICT, requiredAmount: 100, totalAmount: 1 }))).toBe(
      'reference_taken',
    )
  })

  test('the largest amounts are compared exactly', async ({ merchant, start }) => {
    const { id } = await merchant()
    const amounts = { strict: true, requiredAmount: Number.MAX_SAFE_INTEGER }
    expect(verdict(await start(id, { ...amounts, totalAmount: Number.MAX_SAFE_INTEGER }))).toBe('pending')
    expect(verdict(await start(id, { ...amounts, totalAmount: Number.MAX_SAFE_INTEGER - 1 }))).toBe(
      'amount_too_low',
    )
  })

  test('references are told apart to the letter, the empty one too', async ({ merchant, start }) => {
    const { id } = await merchant()
    for (const merchantReference of ['', ...EDGE_TEXTS]) {
      expect(verdict(await start(id, { strict: true, merchantReference }))).toBe('pending')
    }
    for (const merchantReference of ['', ...EDGE_TEXTS]) {
      expect(verdict(await start(id, { strict: true, merchantReference }))).toBe('reference_taken')
    }
  })

  test('another merchant’s reference is another reference', async ({ merchant, start }) => {
    const [one, other] = [await merchant(), await merchant()]
    await start(one.id, STRICT)
    expect(verdict(await start(other.id, STRICT))).toBe('pending')
  })

  test('a refused payment has its id, its date and its delivery', async ({ storage, merchant, start }) => {
    const { id: merchantId } = await merchant({ webhookUrl: WEBHOOK_URL })
    await start(merchantId, STRICT)
    const refused = await start(merchantId, { ...STRICT, attemptKey: 'k' }, at(5.25))
    expect(await storage.payments.get({ merchantId, id: 2 })).toEqual(refused)
    expect([refused.id, refused.date, refused.status]).toEqual([2, dateAt(5), 'error'])
    expect((await start(merchantId)).id).toBe(3)

    const deliveries = await storage.deliveries.list(merchantId, undefined, EVERYTHING)
    const delivery = { merchantId, paymentId: 2, state: 'pending', attempts: 0, nextAttemptAt: at(5.25) }
    const never = { lastAttemptAt: null, lastStatus: null, lastError: null }
    expect(deliveries).toEqual({ items: [{ ...delivery, ...never, createdAt: at(5.25) }], total: 1 })

    expect(await start(merchantId, { ...STRICT, attemptKey: 'k' }, at(9))).toEqual(refused)
    expect(await storage.deliveries.list(merchantId, undefined, EVERYTHING)).toEqual(deliveries)
  })

  test('a refusal without a webhook URL has no delivery', async ({ storage, merchant, start }) => {
    const { id } = await merchant()
    await start(id, STRICT)
    await start(id, STRICT)
    expect(await storage.deliveries.list(id, undefined, EVERYTHING)).toEqual({ items: [], total: 0 })
  })

  test('a refused payment stays refused', async ({ storage, merchant, start }: Scene) => {
    const { id } = await merchant()
    await start(id, STRICT)
    const refused = await start(id, STRICT)
    const late = await storage.payments.resolve(refused, COMPLETED, at(1))
    expect(late).toEqual({ payment: refused, changed: false })
  })
}
