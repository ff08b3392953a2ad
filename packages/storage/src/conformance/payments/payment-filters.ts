import type { PaymentFilter } from '@tillkit/domain'
import type { Checks } from '../capability.ts'
import { EDGE_TEXTS, UNKNOWN_TEXTS } from '../edge-text.ts'
import { at, dateAt, EVERYTHING } from '../scene.ts'
import { ninePayments } from './nine-payments.ts'

const NOTHING = { items: [], total: 0 }

export function paymentFilters({ test, expect }: Checks): void {
  test('each filter alone', async scene => {
    const { id } = await scene.merchant()
    await ninePayments(scene, id)
    const { ids } = scene
    expect(await ids(id, { status: ['pending'] })).toEqual([7, 4, 1])
    expect(await ids(id, { status: ['completed'] })).toEqual([8, 5, 2])
    expect(await ids(id, { status: ['error'] })).toEqual([9, 6, 3])
    expect(await ids(id, { status: ['error', 'pending'] })).toEqual([9, 7, 6, 4, 3, 1])
    expect(await ids(id, { status: ['pending', 'pending'] })).toEqual([7, 4, 1])
    expect(await ids(id, { status: ['pending', 'completed', 'error'] })).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1])
    expect(await ids(id, { scanCode: 'till-1' })).toEqual([5, 4, 3, 2, 1])
    expect(await ids(id, { scanCodeReference: 'Counter' })).toEqual([9, 7, 5, 3, 1])
    expect(await ids(id, { userReference: 'Table 4' })).toEqual([5])
    expect(await ids(id, { merchantReference: 'order-1' })).toEqual([6, 2])
    expect(await ids(id, { statementReference: 'BANK-1' })).toEqual([8, 2])
    const left = { status: undefined, startDate: undefined, endDate: undefined, scanCode: undefined }
    expect((await ids(id, left)).length).toBe(9)
  })

  test('each filter with no match', async ({ storage, merchant, ...scene }) => {
    const { id } = await merchant()
    await ninePayments({ storage, merchant, ...scene }, id)
    const unmatched: PaymentFilter[] = [
      { scanCode: 'till-3' },
      { scanCodeReference: 'counter' },
      { userReference: 'Table' },
      { merchantReference: 'order' },
      { statementReference: 'BANK-3' },
      { startDate: dateAt(81) },
      { endDate: dateAt(0) },
    ]
    for (const filter of unmatched) {
      expect(await storage.payments.list(id, filter, EVERYTHING)).toEqual(NOTHING)
    }
  })

  test('dates: the start counts, the end does not', async scene => {
    const { id } = await scene.merchant()
    await ninePayments(scene, id)
    const between = (startDate?: string, endDate?: string) => scene.ids(id, { startDate, endDate })
    expect(await between(dateAt(60))).toEqual([9, 8, 7])
    expect(await between(dateAt(61))).toEqual([9, 8])
    expect(await between(undefined, dateAt(20))).toEqual([2, 1])
    expect(await between(undefined, dateAt(21))).toEqual([3, 2, 1])
    expect(await between(dateAt(20), dateAt(40))).toEqual([4, 3])
    expect(await between(dateAt(20), dateAt(20))).toEqual([])
    expect(await between(dateAt(40), dateAt(20))).toEqual([])
    expect(await between(dateAt(21), dateAt(29))).toEqual([])
    expect((await between('0000-01-01T00:00:00Z', '9999-12-31T23:59:59Z')).length).toBe(9)
    expect(await between(undefined, '0000-01-01T00:00:00Z')).toEqual([])
    expect(await between('9999-12-31T23:59:59Z')).toEqual([])
  })

  test('payments of one second are all in it', async ({ merchant, start, ids }) => {
    const { id } = await merchant()
    for (const seconds of [0, 1, 1, 1, 0, 2]) await start(id, {}, at(seconds))
    expect(await ids(id, { startDate: dateAt(1), endDate: dateAt(2) })).toEqual([5, 4, 3, 2])
    expect(await ids(id, { endDate: dateAt(1) })).toEqual([1])
    expect(await ids(id, { startDate: dateAt(2) })).toEqual([6])
  })

  test('several filters must all hold', async scene => {
    const { id } = await scene.merchant()
    const payments = await ninePayments(scene, id)
    const filters: PaymentFilter[] = [
      { startDate: dateAt(20) },
      { endDate: dateAt(70) },
      { status: ['completed', 'pending'] },
      { scanCode: 'till-1' },
      { scanCodeReference: 'Counter' },
      { userReference: 'Table 4' },
      { merchantReference: 'order-x4' },
      { statementReference: 'BANK-2' },
    ]
    const alone = await Promise.all(filters.map(filter => scene.ids(id, filter)))
    for (const [n, one] of filters.entries()) {
      for (const [m, other] of filters.entries()) {
        const both = payments.filter(
          payment => alone[n]?.includes(payment.id) && alone[m]?.includes(payment.id),
        )
        const page = await scene.storage.payments.list(id, { ...one, ...other }, EVERYTHING)
        expect(page).toEqual({ items: both, total: both.length })
      }
    }
    expect(await scene.ids(id, Object.assign({}, ...filters))).toEqual([5])
  })

  test('values are compared to the letter', async ({ merchant, start, ids }) => {
    const { id: merchantId } = await merchant()
    for (const text of ['', ...EDGE_TEXTS]) {
      await start(merchantId, { scanCodeReference: text, userReference: text, merchantReference: text })
    }
    for (const [n, text] of EDGE_TEXTS.entries()) {
      expect(await ids(merchantId, { scanCodeReference: text })).toEqual([n + 2])
      expect(await ids(merchantId, { userReference: text })).toEqual([n + 2])
      expect(await ids(merchantId, { merchantReference: text })).toEqual([n + 2])
    }
  })

  test('a value that nothing has is no error', async ({ storage, merchant, start }) => {
    const { id } = await merchant()
    await start(id, { scanCodeReference: 'a', userReference: 'a', merchantReference: 'a' })
    for (const text of UNKNOWN_TEXTS) {
      for (const name of [
        'scanCode',
        'scanCodeReference',
        'merchantReference',
        'statementReference',
      ] as const) {
        expect(await storage.payments.list(id, { [name]: text }, EVERYTHING)).toEqual(NOTHING)
      }
    }
  })
}
