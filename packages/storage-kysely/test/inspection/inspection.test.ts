import { type Kysely, sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type DatabaseStorage, kyselyStorage } from '../../src/index.ts'
import { migrateTo } from '../../src/migrations/migrate.ts'
import { MIGRATIONS } from '../../src/migrations/migrations.ts'
import { type HostTables, hostDatabaseAt, placeOf, storageAt } from '../engines/address.ts'
import type { TestDatabase } from '../engines/engine.ts'
import { overEveryEngine, overPostgres } from '../engines/index.ts'
import { found, of, REQUEST } from './checked.ts'

overEveryEngine(({ create, name: engine }) => {
  let database: TestDatabase
  let storage: DatabaseStorage
  let db: Kysely<HostTables>

  beforeEach(async () => {
    database = await create()
    storage = storageAt(database.address)
    db = hostDatabaseAt(database.address)
  })

  afterEach(async () => {
    await db.destroy()
    await storage.close()
    await database.drop()
  })

  const isMysql = () => database.address.dialect === 'mysql'
  const run = (statement: string) => sql.raw(statement).execute(db)
  const dropIndex = (name: string, table: string) =>
    run(`drop index ${name}${isMysql() ? ` on ${table}` : ''}`)

  test('an empty database is not migrated, and says so', async () => {
    expect(await storage.migrated?.()).toBe(false)
    const inspected = await storage.inspect?.(REQUEST)
    expect(of(inspected, 'migrations')).toEqual(['problem: The database has no Tillkit tables.'])
    expect(inspected?.counts).toBe(null)
    expect(of(inspected, 'counts')).toEqual(['note: The rows could not be counted.'])
  })

  test('one that is migrated is sound: the engine, its settings, tables and indexes', async () => {
    await storage.migrate()
    expect(await storage.migrated?.()).toBe(true)
    const inspected = await storage.inspect?.(REQUEST)
    expect(inspected?.engine).toBe(engine)
    expect(inspected?.version).toMatch(/^\d+\./)
    expect(Object.keys(inspected?.settings ?? {}).length).toBeGreaterThan(3)
    const count = Object.keys(MIGRATIONS).length
    expect(of(inspected, 'migrations')[0]).toMatch(new RegExp(`^ok: All ${count} migrations are done`))
    expect(of(inspected, 'tables')).toEqual([expect.stringMatching(/^ok: All \d+ tables are there/)])
    expect(of(inspected, 'indexes')).toEqual([expect.stringMatching(/^ok: All \d+ indexes are whole/)])
    expect(of(inspected, 'locks')[0]).toMatch(/^ok: /)
    expect(inspected?.counts?.pendingPayments.map(({ count }) => count)).toEqual([0, 0, 0, 0])
  })

  test('over a Kysely of the host’s it is the same; in a transaction of it there is none', async () => {
    await storage.migrate()
    const { dialect } = database.address
    const over = kyselyStorage(db, dialect, placeOf(database.address))
    expect(await over.migrated?.()).toBe(true)
    const [own, hosted] = [await storage.inspect?.(REQUEST), await over.inspect?.(REQUEST)]
    expect(of(hosted, 'indexes')).toEqual(of(own, 'indexes'))
    expect(of(hosted, 'migrations')).toEqual(of(own, 'migrations'))
    await db.transaction().execute(async trx => {
      const inside = kyselyStorage(trx, dialect, placeOf(database.address))
      expect([inside.inspect, await inside.migrated?.()]).toEqual([undefined, true])
    })
    await storage.transaction(async inside => expect(inside.inspect).toBe(undefined))
  })

  test('migrations that are missing, and those of a newer version', async () => {
    await migrateTo(db, database.address.dialect, placeOf(database.address), '0004-walks')
    expect(await storage.migrated?.()).toBe(false)
    const missing = Object.keys(MIGRATIONS).filter(name => name > '0004-walks')
    const old = await storage.inspect?.(REQUEST)
    expect(of(old, 'migrations')).toEqual([`problem: Migrations are missing: ${missing.join(', ')}.`])
    await storage.migrate({ contract: false })
    await run(`insert into tillkit_migrations (name, timestamp) values ('9999-later', 'now')`)
    expect(await storage.migrated?.()).toBe(true)
    const newer = await storage.inspect?.(REQUEST)
    expect(of(newer, 'migrations')[1]).toBe(
      'warning: A newer version of Tillkit has been at the database: 9999-later.',
    )
    const left = isMysql() ? [] : [expect.stringMatching(/^note: .* tillkit_payments_by_date/)]
    expect(of(newer, 'indexes')).toEqual([expect.stringMatching(/^ok: /), ...left])
  })

  test('indexes that are gone: what is said to be run makes them anew', async () => {
    await storage.migrate()
    await dropIndex('tillkit_payments_guarded_reference', 'tillkit_payments')
    await dropIndex('tillkit_deliveries_due', 'tillkit_deliveries')
    await dropIndex('tillkit_api_keys_by_hash', 'tillkit_api_keys')
    const inspected = await storage.inspect?.(REQUEST)
    const gone = inspected?.findings.filter(({ check }) => check === 'indexes') ?? []
    expect(gone.map(({ level, says }) => [level, says.split(':')[0]]).sort()).toEqual([
      ['problem', 'The index tillkit_payments_guarded_reference of tillkit_payments is missing'],
      ['warning', 'The index tillkit_api_keys_by_hash of tillkit_api_keys is missing'],
      ['warning', 'The index tillkit_deliveries_due of tillkit_deliveries is missing'],
    ])
    for (const { advice } of gone) await run(advice?.replace(/^Run: /, '') ?? '')
    expect(await found(storage, 'indexes')).toEqual([expect.stringMatching(/^ok: /)])
  })

  test('columns and tables that are gone', async () => {
    await storage.migrate()
    await run('alter table tillkit_payments drop column failure')
    await run('drop table tillkit_payment_blocks')
    expect(await found(storage, 'tables')).toEqual([
      'problem: The table tillkit_payments has no failure.',
      'problem: The table tillkit_payment_blocks is gone.',
    ])
  })

  test('a database that does not answer rejects, as any call does', async () => {
    await storage.migrate()
    await storage.close()
    await expect(storage.migrated?.()).rejects.toThrow('the storage is closed')
    await expect(storage.inspect?.(REQUEST)).rejects.toThrow('the storage is closed')
  })
})

overPostgres(({ create }) => {
  test('an index that was never finished is broken, and what is said to be run mends it', async () => {
    const database = await create()
    const [storage, db] = [storageAt(database.address), hostDatabaseAt(database.address)]
    await storage.migrate()
    await sql`update pg_index set indisvalid = false
      where indexrelid = to_regclass('tillkit_deliveries_due')`.execute(db)
    const [broken] =
      (await storage.inspect?.(REQUEST))?.findings.filter(({ check }) => check === 'indexes') ?? []
    expect([broken?.level, broken?.says]).toEqual([
      'warning',
      expect.stringContaining('The index tillkit_deliveries_due of tillkit_deliveries is broken'),
    ])
    for (const statement of broken?.advice?.replace(/^Run: /, '').split('; ') ?? []) {
      await sql.raw(statement).execute(db)
    }
    expect(await found(storage, 'indexes')).toEqual([expect.stringMatching(/^ok: /)])
    await db.destroy()
    await storage.close()
    await database.drop()
  })
})
