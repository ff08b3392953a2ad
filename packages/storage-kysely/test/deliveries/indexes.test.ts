import type { Storage } from '@tillkit/storage'
import { type CompiledQuery, type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dialectOf } from '../../src/dialects/index.ts'
import { kyselyStorage } from '../../src/index.ts'
import { databaseOf } from '../../src/kysely-storage.ts'
import { type HostTables, hostDatabaseAt, PATIENT, storageAt } from '../engines/address.ts'
import type { TestDatabase } from '../engines/engine.ts'
import { overEveryEngine } from '../engines/index.ts'
import { fillPayments } from '../payments/payments-in-bulk.ts'
import { deliveredAt, fillDeliveries } from './deliveries-in-bulk.ts'

/** Few enough for a planner to think of reading all of them, and go on so when there are more. */
const COUNT = 300
const [now, leaseUntil] = ['2026-12-01T00:00:00.000Z', '2026-12-01T00:01:00.000Z']
const attempt = { at: now, status: 200, milliseconds: 1, error: null, answer: null }

overEveryEngine(({ create, analyze, accesses }) => {
  let database: TestDatabase
  let db: Kysely<HostTables>
  let storage: Storage
  let queries: CompiledQuery[] = []

  beforeAll(async () => {
    database = await create()
    const owner = storageAt(database.address)
    await owner.migrate()
    db = hostDatabaseAt(database.address, ({ query }) => {
      queries.push(query)
    })
    const { dialect } = database.address
    storage = kyselyStorage(db, dialect, PATIENT)
    for (const id of ['a', 'shop', 'z']) {
      await owner.merchants.create({
        ...{ id, name: 'Shop', webhookUrl: 'https://shop.example/hook', createdAt: now },
        features: { tips: false, userReferences: false, deviceLists: false },
      })
      await sql`delete from tillkit_ledgers where merchant_id = ${id}`.execute(db)
      await fillPayments(db, dialect, id, COUNT)
      await fillDeliveries(db, databaseOf(db as never, dialectOf(dialect), {}), id, COUNT)
    }
    await owner.close()
    // Statistics are of a time at which nothing waited.
    await sql`update tillkit_deliveries set state = 'delivered' where state = 'pending'`.execute(db)
    await analyze(db)
    if (dialect === 'mysql')
      await sql`analyze table tillkit_deliveries, tillkit_delivery_attempts`.execute(db)
    await sql`update tillkit_deliveries set state = 'pending' where last_attempt_at is null`.execute(db)
  })

  afterAll(async () => {
    await db.destroy()
    await database.drop()
  })

  /** How each query that `work` sends reaches the tables that grow with what is delivered. */
  const reaches = async (work: () => Promise<unknown>) => {
    queries = []
    await work()
    const sent = queries.filter(({ sql }) => /deliver/.test(sql) && !/^(savepoint|release|insert)/.test(sql))
    expect(sent.length > 0).toBe(true)
    const reached = await Promise.all(
      sent.map(async query => (await accesses(db, query)).map(access => ({ ...access, sql: query.sql }))),
    )
    return reached.flat().filter(({ table }) => /deliver/.test(table) || table === 'delivery')
  }

  const steps: [string, () => Promise<unknown>][] = [
    ['a claim', () => storage.deliveries.claim({ now, leaseUntil, limit: 5 })],
    [
      'a claim that leaves merchants out',
      () => storage.deliveries.claim({ now, leaseUntil, limit: 5, exceptMerchants: ['a', 'z', 'b'] }),
    ],
    [
      'a claim that finds nothing',
      () => storage.deliveries.claim({ now: deliveredAt(0), leaseUntil, limit: 5 }),
    ],
    [
      'a result',
      async () => {
        const [held] = await storage.deliveries.claim({ now, leaseUntil, limit: 1 })
        if (!held) throw new Error('nothing was claimed')
        const result = { ...held, state: 'delivered', nextAttemptAt: null, attempt } as const
        expect(await storage.deliveries.record(result)).toBe(true)
      },
    ],
    [
      'results that come together',
      async () => {
        const held = await storage.deliveries.claim({ now, leaseUntil, limit: 8 })
        const results = held.map(
          lease => ({ ...lease, state: 'delivered', nextAttemptAt: null, attempt }) as const,
        )
        const written = await Promise.all(results.map(result => storage.deliveries.record(result)))
        expect(written).toEqual(held.map(() => true))
      },
    ],
    [
      'leases given back',
      () =>
        storage.deliveries.release(
          Array.from({ length: 8 }, (_, n) => ({ merchantId: 'z', paymentId: 1 + n, fence: 1 })),
          now,
        ),
    ],
    ['counts', () => storage.deliveries.counts(now)],
    ['a purge', () => storage.deliveries.purge(deliveredAt(20), 10)],
    ['attempts', () => storage.deliveries.attempts('shop', [100, 200, 300])],
    ['a wake', () => storage.endpoints.wake('shop', now)],
  ]

  test.each(steps)('%s reads what it needs through an index, however much is delivered', async (_, work) => {
    for (const { sql, index } of await reaches(work)) {
      // SQLite counts a state by reading the whole of an index that holds that state alone, and calls it a scan.
      if (
        database.address.dialect === 'sqlite' &&
        /count\(\*\) as "total" from "tillkit_deliveries" where state = /.test(sql)
      )
        continue
      expect({ sql, index }).toEqual({ sql, index: expect.any(String) })
    }
  })

  test('what is due is found by when it is due', async () => {
    const reached = await reaches(() => storage.deliveries.claim({ now, leaseUntil, limit: 3 }))
    expect(reached.map(({ index }) => index)).toContain('tillkit_deliveries_due')
  })

  test('what is purged is found by when it was delivered', async () => {
    const reached = await reaches(() => storage.deliveries.purge(deliveredAt(40), 3))
    expect(reached.map(({ index }) => index)).toContain('tillkit_deliveries_delivered')
  })
})
