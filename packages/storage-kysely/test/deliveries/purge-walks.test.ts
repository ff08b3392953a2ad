import { CompiledQuery, type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dialectOf } from '../../src/dialects/index.ts'
import { kyselyStorage } from '../../src/index.ts'
import { databaseOf } from '../../src/kysely-storage.ts'
import { type HostTables, hostDatabaseAt, PATIENT, storageAt } from '../engines/address.ts'
import type { TestDatabase } from '../engines/engine.ts'
import { overEveryEngine, overPostgres } from '../engines/index.ts'
import { deliveredAt, fillDeliveries } from './deliveries-in-bulk.ts'

const [COUNT, BATCH, BATCHES] = [12_000, 250, 40]

overPostgres(({ create }) => {
  let database: TestDatabase
  let db: Kysely<HostTables>
  let queries: CompiledQuery[] = []

  beforeAll(async () => {
    database = await create({ apart: true })
    const owner = storageAt(database.address)
    await owner.migrate()
    await owner.close()
    db = hostDatabaseAt(database.address, ({ query }) => {
      queries.push(query)
    })
    // Of rows that a vacuum has seen meanwhile, a lock looks at one page more.
    await sql`alter table tillkit_deliveries set (autovacuum_enabled = off)`.execute(db)
    await fillDeliveries(db, databaseOf(db as never, dialectOf('postgres'), {}), 'shop', COUNT)
  })

  afterAll(async () => {
    await db.destroy()
    await database.drop()
  })

  /** How many pages a statement looks at when it is run again. */
  const pagesRead = async ({ sql, parameters }: CompiledQuery) => {
    const explain = CompiledQuery.raw(`explain (analyze, buffers, format json) ${sql}`, [...parameters])
    const { rows } = await db.executeQuery<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(explain)
    const plan = rows[0]?.['QUERY PLAN'][0].Plan ?? {}
    return (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0)
  }

  test('a step costs the same however much was purged before, while an old snapshot keeps all of it', async () => {
    const { deliveries } = kyselyStorage(db, 'postgres', PATIENT)
    const reader = await db.startTransaction().setIsolationLevel('repeatable read').execute()
    await sql`select count(*) from tillkit_deliveries`.execute(reader)
    const looked: number[] = []
    for (let n = 0; n < BATCHES; n++) {
      queries = []
      expect(await deliveries.purge(deliveredAt(COUNT - 100), BATCH)).toBe(BATCH)
      const find = queries.find(({ sql }) => /^select .*last_attempt_at/.test(sql))
      if (!find) throw new Error('no statement looked for what is old')
      looked.push(await pagesRead(find))
    }
    await reader.rollback().execute()
    expect(Math.max(...looked) - Math.min(...looked)).toBeLessThan(50)
  })
})

overEveryEngine(({ create }) => {
  test('what comes back behind the last step is purged when the rest is through', async () => {
    const { address, drop } = await create()
    const storage = storageAt(address)
    await storage.migrate()
    const db = hostDatabaseAt(address)
    await fillDeliveries(db, databaseOf(db as never, dialectOf(address.dialect), {}), 'shop', 100)
    const { deliveries } = storage
    expect(await deliveries.purge(deliveredAt(60), 20)).toBe(20)
    await fillDeliveries(db, databaseOf(db as never, dialectOf(address.dialect), {}), 'again', 30)
    let purged = 0
    for (let n = 0; n < 10; n++) purged += await deliveries.purge(deliveredAt(60), 20)
    expect(purged).toBe(39 + 20)
    const { items } = await deliveries.list('again', 'delivered', { skip: 0, limit: 100 })
    expect(items).toEqual([])
    await db.destroy()
    await storage.close()
    await drop()
  })
})
