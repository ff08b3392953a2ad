import { setTimeout as sleep } from 'node:timers/promises'
import { createTill, type Till } from '@tillkit/till'
import { type Kysely, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type DatabaseStorage, type MigrationProgress, migrate } from '../../../src/index.ts'
import { migrateTo } from '../../../src/migrations/migrate.ts'
import { type HostTables, hostDatabaseAt, placeOf, storageAt } from '../../engines/address.ts'
import type { TestDatabase } from '../../engines/engine.ts'
import { overEveryEngine } from '../../engines/index.ts'
import { REQUEST } from '../../inspection/checked.ts'

const BEFORE = '0008-payment-sums'
const REFERENCE = 'O\'Neill \\ "Sons" — \' or 1 = 1 --'

overEveryEngine(({ create }) => {
  let database: TestDatabase
  let db: Kysely<HostTables>
  let storage: DatabaseStorage
  let till: Till

  beforeEach(async () => {
    database = await create()
    db = hostDatabaseAt(database.address)
    const { dialect } = database.address
    await migrateTo(db, dialect, placeOf(database.address), BEFORE)
    storage = storageAt(database.address)
    await storage.migrate({ contract: false })
    till = createTill({ storage })
    for (const id of ['shop', 'cafe']) {
      await till.merchants.create({ id, name: id })
      await till.scanCodes.create(id, { code: id })
    }
  })

  afterEach(async () => {
    await till.close()
    await storage.close()
    await db.destroy()
    await database.drop()
  })

  const pay = async (merchantId: string, totalAmounts: number[]) => {
    for (const totalAmount of totalAmounts)
      await till.payments.complete(await till.payments.start({ scanCode: merchantId, totalAmount }))
  }

  const settle = (merchantId: string, paymentIds: number[], statementReference = REFERENCE) =>
    till.payments.settle(merchantId, { statementReference, paymentIds })

  /** What a process of the version before does. */
  const settleBefore = (merchantId: string, ids: number[], reference = REFERENCE) =>
    sql`update ${sql.table('tillkit_payments')} set statement_reference = ${reference}
      where merchant_id = ${merchantId} and id in (${sql.join(ids)})`.execute(db)

  const totals = async (reference = REFERENCE) => {
    const { count, amount, fees, byMerchant } = (await till.settlements.get(reference)) ?? {}
    return [count, amount, fees, byMerchant?.items.map(one => [one.merchantId, one.count, one.amount])]
  }

  describe('what processes of the version before settled under a reference that is kept', () => {
    beforeEach(async () => {
      await pay('shop', [1, 20, 300, 4000])
      await pay('cafe', [5, 60])
      const rows = [{ paymentId: 1, amount: 1, fee: 7, merchantId: 'shop' }]
      expect(await till.settlements.import({ statementReference: REFERENCE, rows })).toMatchObject({
        settled: 1,
      })
      await settle('cafe', [1])
      await settleBefore('shop', [2, 3])
      await settleBefore('cafe', [2])
      await settle('shop', [4])
    })

    const ALL = [
      6,
      4386,
      7,
      [
        ['cafe', 2, 65],
        ['shop', 4, 4321],
      ],
    ]

    test('is in its totals once they are gone, and fees stay', async () => {
      await storage.migrate()
      expect(await totals()).toEqual(ALL)
      await pay('shop', [50_000])
      await settle('shop', [5])
      expect((await totals()).slice(0, 3)).toEqual([7, 54_386, 7])
    })

    test('also by a Kysely of the host’s, and in a transaction of it', async () => {
      const { dialect } = database.address
      const place = placeOf(database.address)
      if (dialect === 'mysql') await migrate(db, dialect, place)
      else await db.transaction().execute(trx => migrate(trx, dialect, place))
      expect(await totals()).toEqual(ALL)
    })

    test('who listens is told of it, once', async () => {
      const told: MigrationProgress[] = []
      const onProgress = (progress: MigrationProgress) => told.push(progress)
      await storage.migrate({ contract: true, onProgress })
      expect(told.filter(({ step }) => step === 'correct')).toEqual([
        {
          ...{ migration: '0009-settlements', step: 'correct', table: 'tillkit_settlements', index: null },
          ...{ phase: null, done: 2, total: 0 },
        },
      ])
      told.length = 0
      await storage.migrate({ contract: true, onProgress })
      expect(told).toEqual([])
    })

    test('until then an inspection says that it may not be', async () => {
      const notes = async () => {
        const { findings = [] } = (await storage.inspect?.(REQUEST)) ?? {}
        return findings.filter(({ check, level }) => check === 'migrations' && level === 'note')
      }
      expect((await notes()).map(({ says }) => says)).toEqual([
        'What processes of a version before 0009-settlements write is not in all settlements.',
      ])
      await storage.migrate({ contract: true })
      expect(await notes()).toEqual([])
    })
  })

  test('of hundreds of references of two merchants, those that are right stay as they are', async () => {
    // The later merchant's come before the other's, as texts go.
    const keys = Array.from({ length: 250 }, (_, n) => {
      return n < 200
        ? { id: 'cafe', n, reference: `T-${n}` }
        : { id: 'shop', n: n - 200, reference: `S-${n}` }
    })
    const wrong = [0, 9, 199, 200, 249].flatMap(at => keys.slice(at, at + 1))
    await Promise.all([...keys, ...wrong].map(({ id }) => pay(id, [100])))
    await Promise.all(keys.map(({ id, n, reference }) => settle(id, [n + 1], reference)))
    for (const [more, { id, reference }] of wrong.entries())
      await settleBefore(id, [id === 'cafe' ? 201 + more : 48 + more], reference)
    await storage.migrate()
    const all = await Promise.all(keys.map(({ reference }) => till.settlements.get(reference)))
    const counts = keys.map(({ reference }, at) => [reference, all[at]?.count])
    expect(counts.filter(([, count]) => count !== 1)).toEqual(wrong.map(({ reference }) => [reference, 2]))
  })

  test('processes of this version settle meanwhile, and several set it right at once', async () => {
    await pay(
      'shop',
      Array.from({ length: 60 }, () => 100),
    )
    await settle('shop', [1])
    await settleBefore('shop', [2, 3, 4])
    const others = [storageAt(database.address), storageAt(database.address)]
    const settling = (async () => {
      for (let id = 5; id <= 60; id++) await settle('shop', [id])
    })()
    await Promise.all([storage.migrate(), ...others.map(other => other.migrate()), settling])
    expect((await totals()).slice(0, 2)).toEqual([60, 6000])
    await Promise.all(others.map(other => other.close()))
  })

  test('what a transaction has settled that commits while it is set right is counted once', async () => {
    await pay('shop', [1, 20, 300])
    await settle('shop', [1])
    await settleBefore('shop', [2])
    const other = storageAt(database.address)
    let migrated: Promise<void> | undefined
    await storage.transaction(async inside => {
      const { payments } = createTill({ storage: inside })
      await payments.settle('shop', { statementReference: REFERENCE, paymentIds: [3] })
      migrated = other.migrate()
      // Long enough to come to the reference, as a rule: it is right whenever it does.
      await sleep(500)
    })
    await migrated
    expect((await totals()).slice(0, 2)).toEqual([3, 321])
    await other.close()
  })
})
