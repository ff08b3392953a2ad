import type { Checks } from '../capability.ts'
import { EDGE_TEXTS, UNKNOWN_TEXTS } from '../edge-text.ts'
import { at, newReference, type Scene, unique } from '../scene.ts'

const FIRST = { skip: 0, limit: 1000 }

/** Payments without fees. */
export const free = (ids: number[]) => ids.map(id => ({ id, fee: 0 }))

/** What one merchant has under a reference. */
export async function totalsOf({ storage }: Scene, merchantId: string, statementReference: string) {
  const found = await storage.settlements.get(statementReference, FIRST)
  const [own] = found?.byMerchant.items.filter(one => one.merchantId === merchantId) ?? []
  return own && { count: own.count, amount: own.amount, fees: own.fees }
}

export function importedStatements({ test, expect }: Checks): void {
  test('each payment is settled for itself, and counted once with its fee', async scene => {
    const { storage, merchant, completed, failed, start } = scene
    const { id } = await merchant()
    const reference = newReference()
    const payments = await Promise.all([
      completed(id, { totalAmount: 100 }),
      completed(id, { totalAmount: 250 }),
      failed(id),
      start(id),
      completed(id, { totalAmount: 1000 }),
      completed(id, { totalAmount: 7 }),
    ])
    const byStatus = (status: string) => payments.filter(one => one.status === status).map(one => one.id)
    const [one = 0, two = 0, three = 0] = byStatus('completed')
    const [failedId = 0] = byStatus('error')
    const [pendingId = 0] = byStatus('pending')
    await storage.payments.settle(id, 'BANK-2', [three])

    const given = [two, one, 99, failedId, pendingId, three].map((key, n) => ({ id: key, fee: n - 1 }))
    const answer = await storage.settlements.settle(id, reference, given)
    expect(answer.settled.toSorted((a, b) => a - b)).toEqual([one, two].sort((a, b) => a - b))
    const others = [failedId, pendingId, three].sort((a, b) => a - b)
    expect(answer.others.map(payment => payment.id).sort((a, b) => a - b)).toEqual(others)
    for (const other of answer.others) expect(other).toEqual(await storage.payments.get(other))
    const amountOf = (key: number) => payments.find(payment => payment.id === key)?.totalAmount ?? 0
    const totals = { count: 2, amount: amountOf(one) + amountOf(two), fees: -1 }
    expect(await totalsOf(scene, id, reference)).toEqual(totals)

    const again = await storage.settlements.settle(id, reference, free([one, two]))
    expect(again.settled).toEqual([])
    expect(again.others.map(payment => payment.statementReference)).toEqual([reference, reference])
    expect(await totalsOf(scene, id, reference)).toEqual(totals)
    expect(await storage.payments.get({ merchantId: id, id: one })).toEqual({
      ...payments.find(payment => payment.id === one),
      statementReference: reference,
    })
  })

  test('totals are exact, and none is handed out that no number holds', async scene => {
    const { storage, merchant, completed } = scene
    const { id } = await merchant()
    const most = Number.MAX_SAFE_INTEGER
    const [reference, settledAlone, fees] = [newReference(), newReference(), newReference()]
    for (let n = 0; n < 6; n++) await completed(id, { totalAmount: most })
    const beyond = (sum: string) => `a sum of ${sum} is more than 2^53 - 1, up to which amounts are exact`
    const refused = (one: string) =>
      storage.settlements.get(one, FIRST).then(
        () => null,
        error => (error instanceof RangeError ? error.message : `${error}`),
      )
    await storage.settlements.settle(id, reference, free([1, 2]))
    await storage.settlements.settle(id, reference, free([3]))
    expect(await refused(reference)).toBe(beyond('27021597764222973'))
    await storage.payments.settle(id, settledAlone, [4, 5])
    await storage.payments.settle(id, settledAlone, [6])
    expect(await refused(settledAlone)).toBe(beyond('27021597764222973'))

    for (let n = 0; n < 5; n++) await completed(id, { totalAmount: 1 })
    await storage.settlements.settle(id, fees, [
      { id: 7, fee: most },
      { id: 8, fee: 2 },
    ])
    await storage.settlements.settle(id, fees, [
      { id: 9, fee: most },
      { id: 10, fee: 1 },
    ])
    expect(await refused(fees)).toBe(beyond('18014398509481985'))
    await storage.settlements.settle(id, fees, [{ id: 11, fee: -most }])
    expect(await refused(fees)).toBe(beyond('9007199254740994'))
    const more = await completed(id, { totalAmount: 1 })
    await storage.settlements.settle(id, fees, [{ id: more.id, fee: -most }])
    expect(await totalsOf(scene, id, fees)).toEqual({ count: 6, amount: 6, fees: 3 })
  })

  test('a payment given twice is settled once, with its first fee', async scene => {
    const { id } = await scene.merchant()
    const reference = newReference()
    await scene.completed(id, { totalAmount: 5 })
    const given = [
      { id: 1, fee: 3 },
      { id: 1, fee: 4 },
    ]
    const { settled } = await scene.storage.settlements.settle(id, reference, given)
    expect(settled).toEqual([1])
    expect(await totalsOf(scene, id, reference)).toEqual({ count: 1, amount: 5, fees: 3 })
  })

  test('what is settled all or none is counted too, and what is refused is not', async scene => {
    const { storage, merchant, completed } = scene
    const { id } = await merchant()
    const reference = newReference()
    for (let n = 0; n < 3; n++) await completed(id, { totalAmount: 10 + n })
    await storage.payments.settle(id, reference, [1, 2])
    await storage.payments.settle(id, reference, [2, 1])
    await storage.payments.settle(id, reference, [3, 99]).catch(() => {})
    await storage.payments.settle(id, reference, [])
    expect(await totalsOf(scene, id, reference)).toEqual({ count: 2, amount: 21, fees: 0 })
    await storage.settlements.settle(id, reference, [{ id: 3, fee: 4 }])
    expect(await totalsOf(scene, id, reference)).toEqual({ count: 3, amount: 33, fees: 4 })
    const found = await storage.settlements.get(reference, FIRST)
    expect(found).toEqual({
      ...{ statementReference: reference, startedAt: null, finishedAt: null, rows: null, differences: null },
      ...{ merchants: 1, count: 3, amount: 33, fees: 4 },
      byMerchant: { items: [{ merchantId: id, count: 3, amount: 33, fees: 4 }], total: 1 },
    })
  })

  test('a statement is over all of its merchants', async scene => {
    const { storage, merchant, completed } = scene
    const reference = newReference()
    const merchants = [await merchant(), await merchant(), await merchant()].map(({ id }) => id)
    await storage.settlements.begin(reference, at(100))
    for (const [n, id] of merchants.entries()) {
      await completed(id, { totalAmount: 10 ** n })
      await storage.settlements.settle(id, reference, [{ id: 1, fee: n }])
    }
    const totals = { merchants: 3, count: 3, amount: 111, fees: 3 }
    const rest = { statementReference: reference, startedAt: at(100), ...totals }
    const open = { ...rest, finishedAt: null, rows: null, differences: null }
    const all = merchants.sort().map(merchantId => merchantId)
    const one = await storage.settlements.get(reference, { skip: 1, limit: 1 })
    expect(one?.byMerchant.items.map(({ merchantId }) => merchantId)).toEqual([all[1]])
    expect({ ...one, byMerchant: one?.byMerchant.total }).toEqual({ ...open, byMerchant: 3 })

    await storage.settlements.begin(reference, at(200))
    await storage.settlements.finish(reference, { rows: 4, differences: 1 }, at(201))
    const closed = { ...rest, finishedAt: at(201), rows: 4, differences: 1 }
    const listed = (await storage.settlements.list(FIRST)).items
    expect(listed.find(({ statementReference }) => statementReference === reference)).toEqual(closed)
    await storage.settlements.finish(reference, { rows: 5, differences: 0 }, at(301))
    const later = await storage.settlements.get(reference, FIRST)
    expect(later).toEqual({
      ...{ ...closed, finishedAt: at(301), rows: 5, differences: 0 },
      byMerchant: {
        items: merchants.map((merchantId, n) => ({ merchantId, count: 1, amount: 10 ** n, fees: n })),
        total: 3,
      },
    })
  })

  test('statements are listed newest first, each once', async ({ storage }) => {
    const before = (await storage.settlements.list(FIRST)).total
    const from = 1e6 + unique() * 10
    const references = [newReference(), newReference(), newReference()]
    for (const [n, reference] of references.entries()) {
      await storage.settlements.begin(reference, at(from + n))
      await storage.settlements.begin(reference, at(from + 9))
    }
    const newest = await storage.settlements.list({ skip: 0, limit: 2 })
    const named = (page: typeof newest) => page.items.map(one => one.statementReference)
    expect(named(newest)).toEqual([references[2], references[1]])
    expect(newest.items.map(({ startedAt }) => startedAt)).toEqual([at(from + 2), at(from + 1)])
    expect(newest.total).toBe(before + 3)
    expect(named(await storage.settlements.list({ skip: 2, limit: 1 }))).toEqual([references[0]])
    expect(await storage.settlements.list({ skip: before + 3, limit: 5 })).toEqual({
      items: [],
      total: before + 3,
    })
  })

  test('statements of one time are listed by their references, the last first', async ({ storage }) => {
    const from = at(1e6 + unique() * 10)
    const references = [newReference(), newReference(), newReference()]
    for (const reference of references) await storage.settlements.begin(reference, from)
    const { items } = await storage.settlements.list({ skip: 0, limit: 3 })
    expect(items.map(one => one.statementReference)).toEqual(references.toSorted().reverse())
  })

  test('a statement that is not there', async ({ storage }) => {
    for (const reference of [...UNKNOWN_TEXTS, newReference()]) {
      expect(await storage.settlements.get(reference, FIRST)).toBe(null)
      await storage.settlements.finish(reference, { rows: 1, differences: 1 }, at(0))
      expect(await storage.settlements.get(reference, FIRST)).toBe(null)
    }
  })

  test('statement references are told apart to the letter', async scene => {
    const { storage, merchant, completed } = scene
    const { id } = await merchant()
    const references = EDGE_TEXTS.slice(0, 20)
    for (const [n, reference] of references.entries()) {
      await completed(id, { totalAmount: n })
      await storage.settlements.settle(id, reference, [{ id: n + 1, fee: 0 }])
    }
    for (const [n, reference] of references.entries()) {
      expect(await totalsOf(scene, id, reference)).toEqual({ count: 1, amount: n, fees: 0 })
    }
  })

  test('what nothing has settled, in a run of ids', async scene => {
    const { storage, merchant, completed, failed, start } = scene
    const { id } = await merchant()
    for (const pay of [completed, failed, start, completed, completed, completed]) await pay(id)
    await storage.payments.settle(id, 'BANK-1', [4])
    const unsettled = async (first: number, last: number) =>
      (await storage.settlements.unsettled(id, first, last)).map(payment => payment.id)
    expect(await unsettled(1, 6)).toEqual([1, 5, 6])
    expect(await unsettled(2, 5)).toEqual([5])
    expect(await unsettled(6, 100)).toEqual([6])
    expect(await unsettled(7, 100)).toEqual([])
    expect(await unsettled(5, 4)).toEqual([])
    expect(await storage.settlements.unsettled(id, 1, 1)).toEqual([
      await storage.payments.get({ merchantId: id, id: 1 }),
    ])
  })

  test('the store’s own time stands for none', async ({ storage }) => {
    if (!storage.time) return
    const reference = newReference()
    const before = (await storage.time()).toISOString()
    await storage.settlements.begin(reference, null)
    await storage.settlements.finish(reference, { rows: 0, differences: 0 }, null)
    const after = (await storage.time()).toISOString()
    const found = await storage.settlements.get(reference, FIRST)
    const [startedAt, finishedAt] = [found?.startedAt ?? '', found?.finishedAt ?? '']
    expect([before, startedAt, finishedAt, after].toSorted()).toEqual([before, startedAt, finishedAt, after])
  })
}
