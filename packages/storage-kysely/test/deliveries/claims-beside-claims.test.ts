import { type CompiledQuery, type Kysely, sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { dialectOf } from '../../src/dialects/index.ts'
import { kyselyStorage } from '../../src/index.ts'
import { databaseOf } from '../../src/kysely-storage.ts'
import { type HostTables, hostDatabaseAt, PATIENT, storageAt } from '../engines/address.ts'
import { overEveryServer } from '../engines/index.ts'
import { meterOf } from '../planner/meter-of.ts'
import { plain } from '../planner/statements.ts'
import { fillDeliveries } from './deliveries-in-bulk.ts'

const [DUE, LIMIT, OTHERS] = [2000, 128, 3]

overEveryServer(({ create, analyze }) => {
  test('a claim looks at what three others hold once, and claims as much as without them', async () => {
    const { address, drop } = await create()
    const owner = storageAt(address)
    await owner.migrate()
    let queries: CompiledQuery[] = []
    const db = hostDatabaseAt(address, ({ query }) => {
      queries.push(query)
    })
    const meter = await meterOf(address, 'custom')
    onTestFinished(async () => {
      await meter.close()
      await db.destroy()
      await owner.close()
      await drop()
    })
    await fillDeliveries(db, databaseOf(db as never, dialectOf(address.dialect), {}), 'shop', DUE)
    await sql`update tillkit_deliveries set state = 'pending', next_attempt_at = last_attempt_at
      where last_attempt_at is not null`.execute(db)
    await analyze(db)

    const [now, leaseUntil] = ['2026-12-31T00:00:00.000Z', '2026-12-31T00:01:00.000Z']
    const claimIn = async (trx: Kysely<HostTables>) =>
      (await kyselyStorage(trx, address.dialect, PATIENT).deliveries.claim({ now, leaseUntil, limit: LIMIT }))
        .length
    const held = []
    const works = []
    for (let others = 0; others <= OTHERS; others++) {
      const trx = await db.startTransaction().setIsolationLevel('read committed').execute()
      held.push(trx)
      queries = []
      expect(await claimIn(trx)).toBe(LIMIT)
      const claim = queries.find(({ sql }) => /for update skip locked/.test(sql))
      if (!claim) throw new Error('nothing was locked')
      const given = claim.parameters.map(plain)
      // With what this one holds, and all before it.
      works.push(await meter.measure({ sql: claim.sql, parameters: given, sent: given }))
    }
    for (const trx of held) await trx.rollback().execute()
    const given = works.map(({ answered }) => answered)
    expect(given).toEqual(given.map(() => LIMIT))
    const [first, last] = [works[0]?.touched ?? 0, works[OTHERS]?.touched ?? 0]
    expect(last - first).toBeLessThan(2 * OTHERS * LIMIT)
  })
})
