import type { PaymentStatus } from '@tillkit/domain'
import type { Storage } from '@tillkit/storage'
import { storageMatchesModel } from '@tillkit/storage/conformance'
import fc from 'fast-check'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { kyselyStorage } from '../../src/index.ts'
import { type HostTables, hostDatabaseAt, storageAt } from '../engines/address.ts'
import type { TestDatabase } from '../engines/engine.ts'
import { overEveryEngine } from '../engines/index.ts'
import { fillPayments } from '../payments/payments-in-bulk.ts'
import { countingStorage, eagerStorage } from './counting-storage.ts'
import { blocksOf, expectTrueBlocks, passing, statusesOf } from './recount.ts'

const runs = Number(process.env.TILLKIT_RUNS ?? 30)
const NOW = '2026-11-20T12:00:00.000Z'
const slice = { skip: 0, limit: 2 }
const SETS: PaymentStatus[][] = [
  ['completed'],
  ['error'],
  ['pending'],
  ['pending', 'error'],
  ['completed', 'pending'],
]

/** When payment `id` of `fillPayments` is dated. */
const dateOf = (id: number) =>
  `${new Date(Date.parse('2026-11-20T09:30:00Z') + id * 1000).toISOString().slice(0, 19)}Z`

overEveryEngine(({ create }) => {
  let database: TestDatabase
  let db: Kysely<HostTables>

  beforeAll(async () => {
    database = await create()
    const owner = storageAt(database.address)
    await owner.migrate()
    await owner.close()
    db = hostDatabaseAt(database.address)
  })

  afterAll(async () => {
    await db.destroy()
    await database.drop()
  })

  const filled = async (merchantId: string, count: number) => {
    await fillPayments(db, database.address.dialect, merchantId, count)
    return merchantId
  }
  const totalOf = async (storage: Storage, merchantId: string, status: PaymentStatus[], dates = {}) =>
    (await storage.payments.list(merchantId, { status, ...dates }, slice)).total

  /** Expects totals by status, over all payments and over runs of dates, to be what a recount says. */
  async function expectTotals(storage: Storage, merchantId: string): Promise<void> {
    const statuses = await statusesOf(db, merchantId)
    const runs = [
      [1, 9],
      [5, 40],
      [9, 17],
      [33, 48],
      [33, 61],
      [42, 43],
    ] as const
    const cases = SETS.flatMap(status => [
      { status, first: 1, end: statuses.length + 1, dates: {} },
      ...runs.flatMap(([first, end]) => [
        { status, first, end, dates: { startDate: dateOf(first), endDate: dateOf(end) } },
        { status, first, end: statuses.length + 1, dates: { startDate: dateOf(first) } },
        { status, first: 1, end, dates: { endDate: dateOf(end) } },
      ]),
    ])
    const shown = await Promise.all(
      cases.map(({ status, dates }) => totalOf(storage, merchantId, status, dates)),
    )
    const expected = cases.map(({ status, first, end }) => passing(statuses, status, first, end - 1))
    expect(shown.map((total, n) => ({ ...cases[n], total }))).toEqual(
      expected.map((total, n) => ({ ...cases[n], total })),
    )
  }

  describe('blocks of two and of three, counted by two stores, beside one that counts none', () => {
    const open = async () => {
      const { dialect } = database.address
      const stores = [
        eagerStorage(db, dialect, 2),
        eagerStorage(db, dialect, 3),
        countingStorage(db, dialect, 1024).storage,
      ]
      let calls = 0
      const list: Storage['payments']['list'] = (...given) =>
        (stores[calls++ % stores.length] as Storage).payments.list(...given)
      const storage = { ...(stores[0] as Storage), payments: { ...(stores[0] as Storage).payments, list } }
      return { storage, close: async () => {} }
    }
    storageMatchesModel({ describe, test, expect }, open, { fc, runs: Math.ceil(runs / 3) })
  })

  test('totals by status are what a recount says, whichever blocks are counted, and as outcomes come in', async () => {
    const merchantId = await filled('recounted', 60)
    const { storage, count } = countingStorage(db, database.address.dialect, 8)
    const resolve = (id: number, status: 'completed' | 'error') =>
      storage.payments.resolve(
        { merchantId, id },
        status === 'error' ? { status, failure: null } : { status },
        NOW,
      )
    await sql`update tillkit_payments set status = 'pending' where merchant_id = ${merchantId} and id in (3, 5, 21)`.execute(
      db,
    )
    await expectTotals(storage, merchantId)
    await count(merchantId)
    // Of the seventh, 11 are pending and no full block comes after it: it waits.
    expect((await blocksOf(db, merchantId)).map(({ up_to, unresolved }) => [up_to, unresolved])).toEqual([
      [8, '3,5'],
      [16, '3,5'],
      [24, '3,5,21'],
      [32, '3,5,21'],
      [40, '3,5,21'],
    ])
    await expectTotals(storage, merchantId)
    for (const [id, status] of [
      [5, 'error'],
      [45, 'error'],
      [3, 'completed'],
      [41, 'completed'],
      [21, 'error'],
    ] as const) {
      await resolve(id, status)
      await expectTotals(storage, merchantId)
    }
    for (let id = 42; id <= 56; id++)
      if (id !== 45) await resolve(id, id % 3 === 0 || id === 56 ? 'error' : 'completed')
    await count(merchantId)
    await expectTotals(storage, merchantId)
    expect((await expectTrueBlocks(db, merchantId)).map(({ up_to }) => up_to)).toEqual([
      8, 16, 24, 32, 40, 48, 56,
    ])
  })

  test('a step counts sixteen blocks and no more, and goes on where the last one ended', async () => {
    const merchantId = await filled('stepped', 100)
    const { count } = countingStorage(db, database.address.dialect, 4)
    expect([await count(merchantId), (await blocksOf(db, merchantId)).length]).toEqual([true, 16])
    expect([await count(merchantId), (await blocksOf(db, merchantId)).length]).toEqual([false, 23])
    expect([await count(merchantId), (await blocksOf(db, merchantId)).length]).toEqual([false, 23])
    await expectTrueBlocks(db, merchantId)
  })

  test('a list has full blocks counted beside it, and inside a host’s transaction it does not', async () => {
    const merchantId = await filled('beside', 3000)
    const { dialect } = database.address
    await db.transaction().execute(async trx => {
      expect(await totalOf(kyselyStorage(trx, dialect), merchantId, ['completed'])).toBe(2861)
    })
    expect(await blocksOf(db, merchantId)).toEqual([])
    const storage = kyselyStorage(db, dialect)
    expect(await totalOf(storage, merchantId, ['completed'])).toBe(2861)
    await vi.waitFor(async () => expect((await blocksOf(db, merchantId)).length).toBe(2), { timeout: 60_000 })
    expect(await totalOf(storage, merchantId, ['completed'])).toBe(2861)
    expect(await totalOf(storage, merchantId, ['error'])).toBe(119)
    await expectTrueBlocks(db, merchantId)
  })
})
