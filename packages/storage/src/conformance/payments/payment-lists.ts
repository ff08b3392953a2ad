import type { Payment, PaymentFilter } from '@tillkit/domain'
import type { Checks } from '../capability.ts'
import { UNKNOWN_TEXTS } from '../edge-text.ts'
import { at, dateAt, EVERYTHING, type Scene } from '../scene.ts'
import { ninePayments } from './nine-payments.ts'

const NOTHING = { items: [], total: 0 }

export function paymentLists({ test, expect }: Checks): void {
  const slicesAgree = async ({ storage }: Scene, merchantId: string, filter: PaymentFilter) => {
    const whole = await storage.payments.list(merchantId, filter, EVERYTHING)
    expect(whole.total).toBe(whole.items.length)
    for (let skip = 0; skip <= whole.total + 1; skip++) {
      for (const limit of [1, 2, Math.max(whole.total - skip, 1), whole.total + 1, 100]) {
        const items = whole.items.slice(skip, skip + limit)
        const slice = await storage.payments.list(merchantId, filter, { skip, limit })
        expect(slice).toEqual({ items, total: whole.total })
      }
    }
    const beyond = await storage.payments.list(merchantId, filter, {
      skip: Number.MAX_SAFE_INTEGER,
      limit: 100,
    })
    expect(beyond).toEqual({ items: [], total: whole.total })
  }

  test('a merchant without payments has an empty list', async ({ storage, merchant }) => {
    const { id } = await merchant()
    for (const merchantId of [id, ...UNKNOWN_TEXTS]) {
      expect(await storage.payments.list(merchantId, {}, EVERYTHING)).toEqual(NOTHING)
      expect(await storage.payments.list(merchantId, { status: ['pending'] }, EVERYTHING)).toEqual(NOTHING)
      expect(await storage.payments.list(merchantId, { startDate: dateAt(0) }, EVERYTHING)).toEqual(NOTHING)
    }
  })

  test('payments go by descending id, each as it is by itself', async scene => {
    const { id: merchantId } = await scene.merchant()
    const payments = await ninePayments(scene, merchantId)
    expect(payments.map(({ id }) => id)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1])
    for (const payment of payments) expect(await scene.storage.payments.get(payment)).toEqual(payment)
  })

  test('slices at every boundary, without filters and with each', async scene => {
    const { id } = await scene.merchant()
    await ninePayments(scene, id)
    await slicesAgree(scene, id, {})
    await slicesAgree(scene, id, { startDate: dateAt(15), endDate: dateAt(75) })
    await slicesAgree(scene, id, { status: ['completed', 'error'] })
    await slicesAgree(scene, id, { scanCodeReference: 'Counter' })
    await slicesAgree(scene, id, { merchantReference: 'nobody' })
    await slicesAgree(scene, id, { startDate: dateAt(15), status: ['pending'], scanCode: 'till-1' })
  })

  test('totals follow outcomes', async ({ storage, merchant, start }) => {
    const { id } = await merchant()
    const total = async (...status: Payment['status'][]) =>
      (await storage.payments.list(id, { status }, { skip: 0, limit: 1 })).total
    for (let n = 0; n < 6; n++) await start(id)
    expect([await total('pending'), await total('completed'), await total('error')]).toEqual([6, 0, 0])
    for (const n of [1, 2, 3, 4])
      await storage.payments.resolve({ merchantId: id, id: n }, { status: 'completed' }, at(1))
    await storage.payments.resolve({ merchantId: id, id: 5 }, { status: 'error', failure: null }, at(1))
    expect([await total('pending'), await total('completed'), await total('error')]).toEqual([1, 4, 1])
    expect(await total('completed', 'error')).toBe(5)
    expect((await storage.payments.list(id, {}, { skip: 0, limit: 1 })).total).toBe(6)
  })

  test('merchants see their own payments alone', async scene => {
    const [one, other] = [await scene.merchant(), await scene.merchant()]
    await ninePayments(scene, one.id)
    await scene.start(other.id, { merchantReference: 'order-1' })
    expect(await scene.ids(other.id)).toEqual([1])
    expect(await scene.ids(other.id, { merchantReference: 'order-1' })).toEqual([1])
    expect(await scene.ids(other.id, { statementReference: 'BANK-1' })).toEqual([])
    expect(await scene.ids(other.id, { startDate: dateAt(10) })).toEqual([])
    expect(await scene.ids(one.id.toUpperCase())).toEqual([])
  })
}
