import type { StatementRow } from '@tillkit/till'
import { describe, expect, test } from 'vitest'
import { inShort, settledAs, settlementScene } from './scene.ts'

const AMOUNT = 1250
const row = (fields: Partial<StatementRow>): StatementRow => ({
  merchantId: 'shop',
  amount: AMOUNT,
  ...fields,
})

describe('what agrees is settled', () => {
  test('by payment id, merchant reference and authentication code', async () => {
    const { till, completed, importRows } = await settlementScene()
    await completed()
    await completed({ merchantReference: 'order-2' })
    const third = await completed({ merchantReference: 'order-3', requiredAmount: AMOUNT })
    const cafe = await completed({ scanCode: 'table', totalAmount: 300 })
    const rows = [
      row({ paymentId: 1, fee: 25 }),
      row({ merchantReference: 'order-2', fee: -5 }),
      row({ authCode: third.authCode ?? '' }),
      row({ merchantId: 'cafe', paymentId: cafe.id, amount: 300, fee: 9 }),
    ]
    const imported = await importRows(rows)
    expect(imported).toEqual({
      settled: 4,
      already: 0,
      differences: [],
      differing: { unknown: 0, not_completed: 0, amount: 0, settled_elsewhere: 0, twice: 0 },
      left: { items: [], total: 0, amount: 0 },
    })
    expect(await settledAs(till)).toEqual(['S-1', 'S-1', 'S-1'])
    expect(await settledAs(till, 'cafe')).toEqual(['S-1'])

    const statement = await till.settlements.get('S-1')
    const at = '2026-11-20T09:30:00.250Z'
    const totals = { merchants: 2, count: 4, amount: 3 * AMOUNT + 300, fees: 29 }
    const listed = { statementReference: 'S-1', startedAt: at, finishedAt: at, rows: 4, differences: 0 }
    expect(statement).toEqual({
      ...{ ...listed, ...totals },
      byMerchant: {
        items: [
          { merchantId: 'cafe', count: 1, amount: 300, fees: 9 },
          { merchantId: 'shop', count: 3, amount: 3 * AMOUNT, fees: 20 },
        ],
        total: 2,
      },
    })
    expect(await till.settlements.list()).toEqual({ items: [{ ...listed, ...totals }], total: 1 })
  })

  test('a reference that failed first and was paid later', async () => {
    const { till, completed, failed, importRows } = await settlementScene()
    await failed({ merchantReference: 'order-1' })
    await completed({ merchantReference: 'order-1' })
    expect(await importRows([row({ merchantReference: 'order-1' })])).toMatchObject({ settled: 1 })
    expect(await settledAs(till)).toEqual([null, 'S-1'])
  })

  test('rows of any iterable, read once', async () => {
    const { till, completed } = await settlementScene()
    await completed()
    await completed()
    const sync = new Set([row({ paymentId: 1 })])
    async function* async() {
      yield row({ paymentId: 2 })
    }
    const importing = (rows: Iterable<StatementRow> | AsyncIterable<StatementRow>) =>
      till.settlements.import({ statementReference: 'S-1', rows })
    expect(await importing(sync)).toMatchObject({ settled: 1 })
    expect(await importing(async())).toMatchObject({ settled: 1 })
    expect(await importing([])).toMatchObject({ settled: 0, already: 0, left: { total: 0 } })
  })
})

describe('what does not agree is returned, and settles nothing', () => {
  test('each kind, in the order of the rows, with the payment as it is', async () => {
    const { till, pay, completed, failed, importRows } = await settlementScene()
    await completed() // 1
    await completed() // 2
    await pay() // 3, pending
    await failed() // 4
    await completed({ merchantReference: 'twins' }) // 5
    await completed({ merchantReference: 'twins' }) // 6
    await completed() // 7
    await completed({ merchantReference: 'alone' }) // 8
    await till.payments.settle('shop', { statementReference: 'S-0', paymentIds: [7] })
    const lines: Partial<StatementRow>[] = [
      { paymentId: 1, amount: AMOUNT - 1 },
      { paymentId: 2 },
      { paymentId: 3 },
      { paymentId: 4 },
      { merchantReference: 'twins' },
      { paymentId: 7 },
      { paymentId: 99 },
      { merchantReference: 'nothing' },
      { paymentId: 2, amount: 1 },
      { paymentId: 1 },
      { merchantId: 'nobody', paymentId: 1 },
      { merchantReference: 'alone', authCode: '000000' },
      { paymentId: 5, merchantReference: 'alone' },
      { merchantReference: 'x'.repeat(300) },
      { merchantId: 'no merchant is called so', paymentId: 1 },
    ]
    const rows = lines.map((fields, line) => row({ ...fields, line }))
    const before = await till.payments.get('shop', 7)
    const imported = await importRows(rows)
    expect(inShort(imported.differences)).toEqual([
      [0, 'amount', 1],
      [2, 'not_completed', 3],
      [3, 'not_completed', 4],
      [4, 'unknown', null],
      [5, 'settled_elsewhere', 7],
      [6, 'unknown', null],
      [7, 'unknown', null],
      [8, 'twice', 2],
      [9, 'twice', 1],
      [10, 'unknown', null],
      [11, 'unknown', null],
      [12, 'unknown', null],
      [13, 'unknown', null],
      [14, 'unknown', null],
    ])
    expect(imported.settled).toBe(1)
    expect(imported.differing).toEqual({
      ...{ unknown: 8, not_completed: 2, amount: 1, settled_elsewhere: 1, twice: 2 },
    })
    for (const { row: given } of imported.differences) expect(rows).toContain(given)
    expect(imported.differences[4]?.payment).toEqual(before)
    expect(await settledAs(till)).toEqual([null, 'S-1', null, null, null, null, 'S-0', null])
  })

  test('which of several payments is meant is never guessed, whatever their amounts', async () => {
    const { till, pay, completed, failed, importRows } = await settlementScene()
    await completed({ merchantReference: 'a' })
    await completed({ merchantReference: 'a', totalAmount: 7 })
    await completed({ merchantReference: 'b' })
    await pay({ merchantReference: 'b' })
    await failed({ merchantReference: 'c' })
    await failed({ merchantReference: 'c' })
    const rows = ['a', 'b', 'c'].map(merchantReference => row({ merchantReference }))
    const { settled, differences } = await importRows(rows)
    expect(settled).toBe(0)
    expect(differences.map(({ why, payment }) => [why, payment])).toEqual([
      ['unknown', undefined],
      ['unknown', undefined],
      ['not_completed', undefined],
    ])
    expect(await settledAs(till)).toEqual([null, null, null, null, null, null])
  })

  test('a reference means what was started since then, an id what it names', async () => {
    const { clock, completed, importRows } = await settlementScene()
    await completed({ merchantReference: 'table-7' })
    clock.now = new Date('2026-11-21T09:30:00Z')
    await completed({ merchantReference: 'table-7' })
    const rows = [row({ merchantReference: 'table-7', line: 1 }), row({ paymentId: 1, line: 2 })]
    const all = await importRows(rows, { dryRun: true })
    expect(inShort(all.differences)).toEqual([[1, 'unknown', null]])
    const since = await importRows(rows, { since: '2026-11-21T00:00:00+02:00' })
    expect(since).toMatchObject({ settled: 2, differences: [] })
  })

  test('of several payments a statement means the one that it has settled itself', async () => {
    const { till, completed, importRows } = await settlementScene()
    await completed({ merchantReference: 'a' })
    const rows = [row({ merchantReference: 'a' })]
    expect(await importRows(rows)).toMatchObject({ settled: 1 })
    await completed({ merchantReference: 'a' })
    expect(await importRows(rows)).toMatchObject({ already: 1, differences: [] })
    expect(inShort((await importRows([...rows, ...rows])).differences)).toEqual([[null, 'twice', 1]])
    const other = await importRows(rows, { statementReference: 'S-2' })
    expect(inShort(other.differences)).toEqual([[null, 'unknown', null]])
    await till.payments.settle('shop', { statementReference: 'S-1', paymentIds: [2] })
    expect(await importRows(rows)).toMatchObject({ already: 0, differing: { unknown: 1 } })
  })

  test('of twenty and more payments it means none, whichever it has settled', async () => {
    const { completed, importRows } = await settlementScene()
    await completed({ merchantReference: 'a' })
    const rows = [row({ merchantReference: 'a' })]
    expect(await importRows(rows)).toMatchObject({ settled: 1 })
    for (let n = 2; n <= 19; n++) await completed({ merchantReference: 'a' })
    expect(await importRows(rows)).toMatchObject({ already: 1, differences: [] })
    await completed({ merchantReference: 'a' })
    expect(await importRows(rows)).toMatchObject({ already: 0, differing: { unknown: 1 } })
  })
})

describe('what a statement leaves out', () => {
  test('completed payments between the first and the last that it settles, which no row names', async () => {
    const { till, pay, completed, failed, importRows } = await settlementScene()
    for (let n = 0; n < 3; n++) await completed({ totalAmount: 10 })
    await pay()
    await failed()
    for (let n = 0; n < 4; n++) await completed({ totalAmount: 100 })
    await completed({ scanCode: 'table' })
    await till.payments.settle('shop', { statementReference: 'S-0', paymentIds: [6] })
    const rows = [
      row({ paymentId: 8, amount: 100 }),
      row({ paymentId: 2, amount: 10 }),
      row({ paymentId: 7, amount: 1 }),
      row({ merchantId: 'cafe', paymentId: 1, amount: 1 }),
    ]
    const { left } = await importRows(rows)
    const third = await till.payments.get('shop', 3)
    expect(left).toEqual({ items: [third], total: 1, amount: 10 })
    expect((await importRows(rows)).left).toEqual(left)
  })

  test('the first hundred are listed, all are counted', async () => {
    const { completed, importRows } = await settlementScene()
    for (let n = 0; n < 130; n++) await completed({ totalAmount: 2 })
    const rows = [row({ paymentId: 1, amount: 2 }), row({ paymentId: 130, amount: 2 })]
    const { left } = await importRows(rows)
    expect(left.items.map(({ id }) => id)).toEqual(Array.from({ length: 100 }, (_, n) => n + 2))
    expect([left.total, left.amount]).toEqual([128, 256])
  })

  test('they are listed merchant by merchant, a hundred of all', async () => {
    const { completed, importRows } = await settlementScene()
    for (let n = 0; n < 72; n++) await completed()
    for (let n = 0; n < 72; n++) await completed({ scanCode: 'table' })
    const rows = ['shop', 'cafe'].flatMap(merchantId =>
      [1, 72].map(paymentId => row({ merchantId, paymentId })),
    )
    const { left } = await importRows(rows)
    const ofShop = left.items.filter(({ merchantId }) => merchantId === 'shop')
    expect([ofShop.length, left.items.length, left.total]).toEqual([70, 100, 140])
  })

  test('what comes to more than a number holds is refused, never wrong, and the import is at its end', async () => {
    const { till, completed, importRows } = await settlementScene()
    const most = Number.MAX_SAFE_INTEGER
    for (const totalAmount of [2, most - 1, 1, 2]) await completed({ totalAmount })
    const rows = [row({ paymentId: 1, amount: 2 }), row({ paymentId: 4, amount: 2 })]
    expect((await importRows(rows, { dryRun: true })).left.amount).toBe(most)
    await completed({ totalAmount: 1 })
    await completed({ totalAmount: 2 })
    const more = [...rows, row({ paymentId: 6, amount: 2 })]
    const message = 'a sum of 9007199254740992 is more than 2^53 - 1, up to which amounts are exact'
    await expect(importRows(more)).rejects.toThrow(new RangeError(message))
    const found = await till.settlements.get('S-1')
    expect(found).toMatchObject({ count: 3, amount: 6, rows: 3, finishedAt: expect.any(String) })
  })
})
