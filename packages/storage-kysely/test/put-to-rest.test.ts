import { CompiledQuery, type Kysely, sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { dialectOf } from '../src/dialects/index.ts'
import { kyselyStorage } from '../src/index.ts'
import { databaseOf } from '../src/kysely-storage.ts'
import { fillDue } from './due-in-bulk.ts'
import { type HostTables, hostDatabaseAt, PATIENT, placeOf, storageAt } from './engines/address.ts'
import type { Engine } from './engines/engine.ts'
import { overEveryEngine, overPostgres } from './engines/index.ts'
import { meterOf } from './planner/meter-of.ts'

const [now, leaseUntil] = ['2026-12-01T00:00:00.000Z', '2026-12-01T00:01:00.000Z']
const [OLDEST, OLD, LATER] = [
  '2026-11-19T00:00:00.000Z',
  '2026-11-20T00:00:00.000Z',
  '2026-11-25T00:00:00.000Z',
]

/** A merchant whose endpoint is paused, `backlog` due for it, and a shop for which less has been due, and not for as long. */
async function paused({ create }: Engine, doubled: number) {
  const { address, drop } = await create()
  const owner = storageAt(address)
  await owner.migrate()
  await owner.close()
  const queries: CompiledQuery[] = []
  const db: Kysely<HostTables> = hostDatabaseAt(address, ({ query }) => {
    queries.push(query)
  })
  onTestFinished(async () => {
    await db.destroy()
    await drop()
  })
  const database = databaseOf(db as never, dialectOf(address.dialect), {})
  const backlog = await fillDue(db, database, 'paused', OLD, doubled)
  await fillDue(db, database, 'shop', LATER, 0)
  const at = database.dialect.time(LATER)
  await sql`insert into tillkit_failing_endpoints (merchant_id, failing_since, paused_at)
    values ('paused', ${at}, ${at})`.execute(db)
  const { deliveries } = kyselyStorage(db, address.dialect, { ...PATIENT, ...placeOf(address) })
  return { address, db, database, deliveries, queries, backlog }
}

const REFUSE_THE_SHOP = {
  sqlite: [
    `create trigger refused before update on tillkit_deliveries when new.merchant_id = 'shop'
     begin select raise(abort, 'refused'); end`,
  ],
  mysql: [
    `create trigger refused before update on tillkit_deliveries for each row
     if new.merchant_id = 'shop' then signal sqlstate '45000'; end if`,
  ],
  postgres: [
    `create function refuse() returns trigger language plpgsql as 'begin raise exception ''refused''; end'`,
    `create trigger refused before update on tillkit_deliveries for each row when (new.merchant_id = 'shop')
     execute function refuse()`,
  ],
}

overEveryEngine(engine => {
  test('what a claim has put to rest rests, though the claim fails later', async () => {
    const { address, db, deliveries, backlog } = await paused(engine, 2)
    for (const statement of REFUSE_THE_SHOP[address.dialect])
      await db.executeQuery(CompiledQuery.raw(statement))
    await expect(deliveries.claim({ now, leaseUntil, limit: 64 })).rejects.toThrow()
    const { pending, due } = await deliveries.counts(now)
    expect([pending - due, due]).toEqual([backlog, 64])
  })

  test('what a claim has leased is handed over, though it fails when it goes on', async () => {
    const { address, db, database, deliveries } = await paused(engine, 2)
    await fillDue(db, database, 'first', OLDEST, 0)
    for (const statement of REFUSE_THE_SHOP[address.dialect])
      await db.executeQuery(CompiledQuery.raw(statement))
    const claimed = await deliveries.claim({ now, leaseUntil, limit: 128 })
    expect(claimed.map(({ merchantId }) => merchantId)).toEqual(Array.from({ length: 64 }, () => 'first'))
    await expect(deliveries.claim({ now, leaseUntil, limit: 128 })).rejects.toThrow()
  })
})

overPostgres(engine => {
  test('what was put to rest is not met again by the same claim, while an old snapshot keeps all of it', async () => {
    const { address, db, deliveries, queries } = await paused(engine, 6)
    await engine.analyze(db)
    const reader = await db.startTransaction().setIsolationLevel('repeatable read').execute()
    await sql`select count(*) from tillkit_deliveries`.execute(reader)
    queries.length = 0
    expect((await deliveries.claim({ now, leaseUntil, limit: 64 })).length).toBe(64)
    const last = queries.findLast(({ sql }) => /skip locked/.test(sql))
    if (!last) throw new Error('nothing was locked')
    const meter = await meterOf(address, 'custom')
    const { touched } = await meter.measure({ ...last, sent: last.parameters })
    await meter.close()
    await reader.rollback().execute()
    expect(touched).toBeLessThan(200)
  })
})
