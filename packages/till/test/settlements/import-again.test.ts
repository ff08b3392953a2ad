import { getEventListeners } from 'node:events'
import type { Storage } from '@tillkit/storage'
import { memoryStorage } from '@tillkit/storage/memory'
import type { ImportProgress, StatementRow } from '@tillkit/till'
import { describe, expect, test } from 'vitest'
import { refusal } from '../till-of.ts'
import { inShort, settledAs, settlementScene } from './scene.ts'

const rowsTo = (last: number): StatementRow[] =>
  Array.from({ length: last }, (_, n) => ({ merchantId: 'shop', paymentId: n + 1, amount: 1250, fee: 3 }))

async function sceneOf(payments: number, options: Parameters<typeof settlementScene>[0] = {}) {
  const scene = await settlementScene(options)
  for (let n = 0; n < payments; n++) await scene.completed()
  return scene
}

const totals = { count: 5, amount: 6250, fees: 15 }

test('done twice it is done once', async () => {
  const { till, importRows } = await sceneOf(5)
  expect(await importRows(rowsTo(5))).toMatchObject({ settled: 5, already: 0 })
  expect(await importRows(rowsTo(5))).toMatchObject({ settled: 0, already: 5, differences: [] })
  expect(await till.settlements.get('S-1')).toMatchObject({ ...totals, rows: 5, differences: 0 })
  const other = await importRows(rowsTo(5), { statementReference: 'S-2' })
  expect(other.differing).toMatchObject({ settled_elsewhere: 5 })
  expect(await till.settlements.get('S-1')).toMatchObject(totals)
  expect(await till.settlements.get('S-2')).toMatchObject({ count: 0, merchants: 0, differences: 5 })
})

test('a payment that was pending is settled by the next run', async () => {
  const { till, pay, importRows } = await sceneOf(1)
  const late = await pay()
  expect((await importRows(rowsTo(2))).differing).toMatchObject({ not_completed: 1 })
  await till.payments.complete(late)
  expect(await importRows(rowsTo(2))).toMatchObject({ settled: 1, already: 1, differences: [] })
})

test('a dry run answers the same and changes nothing', async () => {
  const { till, completed, pay, importRows } = await sceneOf(5)
  await pay()
  await completed({ totalAmount: 9 })
  await completed()
  const rows = [...rowsTo(7), { merchantId: 'shop', paymentId: 8, amount: 1250 }, ...rowsTo(1)]
  const dry = await importRows(rows, { dryRun: true })
  expect(await settledAs(till)).toEqual(Array.from({ length: 8 }, () => null))
  expect(await till.settlements.list()).toEqual({ items: [], total: 0 })
  expect(await till.settlements.get('S-1')).toBe(null)
  expect(await importRows(rows)).toEqual(dry)
  expect(dry).toMatchObject({ settled: 6, differing: { not_completed: 1, amount: 1, twice: 1 } })
})

test('two at once settle each payment once between them', async () => {
  const { till, importRows } = await sceneOf(60)
  const answers = await Promise.all([
    importRows(rowsTo(60)),
    importRows(rowsTo(60).toReversed()),
    importRows(rowsTo(30)),
  ])
  expect(answers.reduce((sum, { settled }) => sum + settled, 0)).toBe(60)
  expect(answers.map(({ settled, already }) => settled + already)).toEqual([60, 60, 30])
  expect(await till.settlements.get('S-1')).toMatchObject({ count: 60, fees: 180 })
})

test('of two statements that want the same payments each is settled by one', async () => {
  const { till, importRows } = await sceneOf(60)
  const [one, two] = await Promise.all([
    importRows(rowsTo(60)),
    importRows(rowsTo(60).toReversed(), { statementReference: 'S-2' }),
  ])
  expect(one.settled + two.settled).toBe(60)
  expect([one.differing.settled_elsewhere, two.differing.settled_elsewhere]).toEqual([
    two.settled,
    one.settled,
  ])
  const kept = await settledAs(till)
  expect(kept.filter(reference => reference === 'S-1').length).toBe(one.settled)
})

test('who was first meanwhile is in the answer', async () => {
  const storage = memoryStorage()
  const { settle } = storage.settlements
  const { till, importRows } = await sceneOf(4, { storage })
  storage.settlements.settle = async (merchantId, reference, payments) => {
    storage.settlements.settle = settle
    await storage.payments.settle(merchantId, 'S-0', [2])
    await storage.payments.settle(merchantId, reference, [3])
    return settle(merchantId, reference, payments)
  }
  const { settled, already, differences, left } = await importRows(rowsTo(4))
  expect([settled, already, inShort(differences)]).toEqual([2, 1, [[null, 'settled_elsewhere', 2]]])
  expect(left.total).toBe(0)
  expect(await settledAs(till)).toEqual(['S-1', 'S-0', 'S-1', 'S-1'])
})

test('a storage that fails ends it, and the next run goes on', async () => {
  const storage = memoryStorage()
  const { settle } = storage.settlements
  const { till, importRows } = await sceneOf(1200, { storage })
  let calls = 0
  storage.settlements.settle = async (...given) => {
    calls += 1
    if (calls === 2) throw new Error('the disk is full')
    return settle(...given)
  }
  await expect(importRows(rowsTo(1200))).rejects.toThrow('the disk is full')
  expect(await till.settlements.get('S-1')).toMatchObject({ count: 500, finishedAt: null, rows: null })
  expect(await importRows(rowsTo(1200))).toMatchObject({ settled: 700, already: 500 })
  expect(await till.settlements.get('S-1')).toMatchObject({ count: 1200, rows: 1200, differences: 0 })
})

/** A till with forty merchants of two payments each, and rows that settle both of each. */
async function manyMerchants(storage: Storage) {
  const { till, importRows } = await settlementScene({ storage })
  const rows: StatementRow[] = []
  for (let n = 0; n < 40; n++) {
    const merchantId = `m-${n}`
    await till.merchants.create({ id: merchantId, name: 'Shop' })
    await till.scanCodes.create(merchantId, { code: merchantId })
    for (const paymentId of [1, 2]) {
      await till.payments.complete(await till.payments.start({ scanCode: merchantId, totalAmount: 1250 }))
      rows.push({ merchantId, paymentId, amount: 1250 })
    }
  }
  return { rows, importRows }
}

test('where the storage fails for one merchant no more are begun', async () => {
  const storage = memoryStorage()
  const { rows, importRows } = await manyMerchants(storage)
  const { settle } = storage.settlements
  let begun = 0
  storage.settlements.settle = async (...given) => {
    begun += 1
    if (begun === 1) throw new Error('the disk is full')
    await new Promise(resolve => setImmediate(resolve))
    return settle(...given)
  }
  await expect(importRows(rows)).rejects.toThrow('the disk is full')
  // Four merchants are at work at once.
  expect(begun).toBe(4)
})

test('it ends when it is told to while it looks for what is left out, and leaves nothing at the signal', async () => {
  const storage = memoryStorage()
  const { rows, importRows } = await manyMerchants(storage)
  const { unsettled } = storage.settlements
  const controller = new AbortController()
  const { signal } = controller
  async function* source() {
    yield* rows.slice(0, 2)
  }
  await importRows(source() as never, { signal })
  expect(getEventListeners(signal, 'abort')).toEqual([])
  let looks = 0
  storage.settlements.unsettled = async (...given) => {
    looks += 1
    controller.abort(new Error('no time'))
    return unsettled(...given)
  }
  await expect(importRows(rows, { signal })).rejects.toThrow('no time')
  expect([looks, getEventListeners(signal, 'abort')]).toEqual([4, []])
})

test('it ends so in the midst of what one merchant has', async () => {
  const storage = memoryStorage()
  const { importRows } = await sceneOf(2500, { storage })
  const { unsettled } = storage.settlements
  const controller = new AbortController()
  let looks = 0
  storage.settlements.unsettled = async (...given) => {
    looks += 1
    controller.abort(new Error('no time'))
    return unsettled(...given)
  }
  const ends = rowsTo(2500).filter(({ paymentId }) => paymentId === 1 || paymentId === 2500)
  await expect(importRows(ends, { signal: controller.signal })).rejects.toThrow('no time')
  await new Promise(resolve => setImmediate(resolve))
  expect(looks).toBe(1)
})

test('what onDifference rejects with ends it, and what onProgress rejects with does not', async () => {
  const { importRows } = await sceneOf(1)
  const rejects = async () => {
    throw new Error('the report is full')
  }
  expect(await importRows(rowsTo(2), { onProgress: rejects })).toMatchObject({ settled: 1 })
  await expect(importRows(rowsTo(2), { onDifference: rejects })).rejects.toThrow('the report is full')
})

test('ends when it is told to while onDifference is waited for, which may never answer', async () => {
  const { importRows } = await sceneOf(1)
  const controller = new AbortController()
  const { signal } = controller
  const onDifference = () => {
    queueMicrotask(() => controller.abort(new Error('no time')))
    return new Promise(() => {})
  }
  await expect(importRows(rowsTo(3), { onDifference, signal })).rejects.toThrow('no time')
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

test('a source that hands out one object for all rows, filled anew for each, is read as if each were its own', async () => {
  const { till, importRows, completed } = await sceneOf(3)
  await completed({ scanCode: 'table' })
  function* source(): Generator<StatementRow> {
    const row: StatementRow = { merchantId: '', amount: 0 }
    for (const one of [{ merchantId: 'cafe', paymentId: 2 }, ...rowsTo(3)]) yield Object.assign(row, one)
  }
  const { settled, differences } = await importRows(source() as never)
  expect([settled, inShort(differences)]).toEqual([3, [[null, 'unknown', null]]])
  expect(differences[0]?.row).toMatchObject({ merchantId: 'cafe', paymentId: 2 })
  expect(await settledAs(till, 'cafe')).toEqual([null])
})

describe('a long statement', () => {
  const LENGTH = 100_000
  function* strangers(length: number): Generator<StatementRow> {
    for (let n = 0; n < length; n++) yield { merchantId: `m-${n % 50}`, paymentId: n + 1, amount: 1, line: n }
  }

  test('tells how far it has come, and every difference in order, and returns the first of them', async () => {
    const { importRows } = await settlementScene()
    const progress: ImportProgress[] = []
    let heard = 0
    const { differences, differing } = await importRows(strangers(LENGTH) as never, {
      onProgress: (one: ImportProgress) => {
        progress.push(one)
        throw new Error('hands off')
      },
      onDifference: async ({ row }: { row: StatementRow }) => {
        if (row.line === heard) heard += 1
      },
    })
    expect(heard).toBe(LENGTH)
    expect(differing.unknown).toBe(LENGTH)
    expect(differences.map(({ row }) => row.line)).toEqual(Array.from({ length: 10_000 }, (_, n) => n))
    expect(progress.length).toBe(LENGTH / 5000)
    expect(progress.at(-1)).toEqual({ rows: LENGTH, settled: 0, already: 0, differences: LENGTH })
  })

  test('is read no further than it is dealt with, and its source is told of the end', async () => {
    const { importRows } = await settlementScene()
    let read = 0
    let closed = false
    function* endless() {
      try {
        for (const one of strangers(Number.MAX_SAFE_INTEGER)) {
          read += 1
          yield one
        }
      } finally {
        closed = true
      }
    }
    const onDifference = () => {
      throw new Error('the report is full')
    }
    await expect(importRows(endless() as never, { onDifference })).rejects.toThrow('the report is full')
    expect([read, closed]).toEqual([5000, true])
  })

  test('ends when it is told to', async () => {
    const { till, importRows } = await settlementScene()
    const controller = new AbortController()
    const onProgress = () => controller.abort(new Error('no time'))
    const importing = importRows(strangers(LENGTH) as never, { onProgress, signal: controller.signal })
    await expect(importing).rejects.toThrow('no time')
    expect(await till.settlements.get('S-1')).toMatchObject({ finishedAt: null })
    const before = importRows([], { statementReference: 'S-2', signal: controller.signal })
    await expect(before).rejects.toThrow('no time')
    expect(await till.settlements.get('S-2')).toBe(null)
  })

  test('lets the rest of the process have its turn, though all of it is of nobody', async () => {
    const { importRows } = await settlementScene()
    const controller = new AbortController()
    const rows = Array.from(strangers(LENGTH), row => ({ ...row, merchantId: 'no merchant is called so' }))
    const importing = importRows(rows, { signal: controller.signal })
    setImmediate(() => controller.abort(new Error('no time')))
    await expect(importing).rejects.toThrow('no time')
  })

  test('ends when it is told to while the next row is waited for, which is told so', async () => {
    const { importRows } = await settlementScene()
    const controller = new AbortController()
    let closed = false
    const rows = {
      [Symbol.asyncIterator]: () => ({
        next() {
          queueMicrotask(() => controller.abort(new Error('no time')))
          return new Promise(() => {})
        },
        return() {
          closed = true
          return new Promise(() => {})
        },
      }),
    }
    await expect(importRows(rows as never, { signal: controller.signal })).rejects.toThrow('no time')
    expect(closed).toBe(true)
  })
})

describe('what is no row is named', () => {
  const cases: [row: unknown, message: string][] = [
    [null, 'rows.1 must be an object'],
    ['S', 'rows.1 must be an object'],
    [new Map(), 'rows.1.merchantId must be a string'],
    [{ merchantId: 'shop', amount: 1 }, 'rows.1 must have a paymentId, a merchantReference or an authCode'],
    [{ merchantId: 'shop', paymentId: 1 }, 'rows.1.amount must be an integer from 0 to 9007199254740991'],
    [
      { merchantId: 'shop', paymentId: 1, amount: -1, line: 7 },
      'rows.1.amount must be an integer from 0 to 9007199254740991 (line 7)',
    ],
    [{ merchantId: 'shop', paymentId: 1, amount: 1.5 }, 'rows.1.amount must be'],
    [{ merchantId: 'shop', paymentId: '1', amount: 1 }, 'rows.1.paymentId must be an integer'],
    [{ merchantId: 'shop', paymentId: 0, amount: 1 }, 'rows.1.paymentId must be a positive integer'],
    [{ merchantId: 7, paymentId: 1, amount: 1 }, 'rows.1.merchantId must be a string'],
    [
      { merchantId: 'shop', paymentId: 1, amount: 1, fee: 1e13 },
      'rows.1.fee must be an integer from -1000000000000',
    ],
    [{ merchantId: 'shop', paymentId: 1, amount: 1, card: 1 }, 'rows.1.card is not a known name of a row'],
  ]
  test.each(cases)('%j', async (given, message) => {
    const { till, importRows } = await sceneOf(1)
    const rows = [...rowsTo(1), given] as StatementRow[]
    expect(await refusal(importRows(rows))).toContain(`invalid_input: ${message}`)
    expect(await settledAs(till)).toEqual([null])
  })
})

test('a payment that is gone when it is to be settled is unknown, so that every row is counted', async () => {
  const storage = memoryStorage()
  const { importRows } = await sceneOf(3, { storage })
  const { settle } = storage.settlements
  storage.settlements.settle = (merchantId, statementReference, payments) =>
    settle(
      merchantId,
      statementReference,
      payments.filter(({ id }) => id !== 2),
    )
  const imported = await importRows(rowsTo(3))
  expect(imported).toMatchObject({ settled: 2, already: 0, differing: { unknown: 1 } })
  expect(inShort(imported.differences)).toEqual([[null, 'unknown', null]])
})
