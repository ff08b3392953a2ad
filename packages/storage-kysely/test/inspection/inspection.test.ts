import { expect, test } from 'vitest'
import { kyselyStorage } from '../../src/index.ts'
import { migrateTo } from '../../src/migrations/migrate.ts'
import { MIGRATIONS } from '../../src/migrations/migrations.ts'
import { placeOf } from '../engines/address.ts'
import { overEveryEngine, overPostgres } from '../engines/index.ts'
import { tablesOf } from '../engines/tables-of.ts'
import { found, of, REQUEST } from './checked.ts'
import { inTables } from './in-tables.ts'

overEveryEngine(({ create, name: engine }) => {
  const host = inTables(create)

  const isMysql = () => host.database.address.dialect === 'mysql'
  const { run } = host
  const dropIndex = (name: string, table: string) =>
    run(`drop index ${name}${isMysql() ? ` on ${table}` : ''}`)

  test('an empty database is not migrated, and says so', async () => {
    expect(await host.storage.migrated?.()).toBe(false)
    const inspected = await host.storage.inspect?.(REQUEST)
    expect(of(inspected, 'migrations')).toEqual(['problem: The database has no Tillkit tables.'])
    expect(inspected?.counts).toBe(null)
    expect(of(inspected, 'counts')).toEqual(['note: The rows could not be counted.'])
  })

  test('one that is migrated is sound: the engine, its settings, tables and indexes', async () => {
    await host.storage.migrate()
    expect(await host.storage.migrated?.()).toBe(true)
    const inspected = await host.storage.inspect?.(REQUEST)
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
    await host.storage.migrate()
    const { dialect } = host.database.address
    const over = kyselyStorage(host.db, dialect, placeOf(host.database.address))
    expect(await over.migrated?.()).toBe(true)
    const [own, hosted] = [await host.storage.inspect?.(REQUEST), await over.inspect?.(REQUEST)]
    expect(of(hosted, 'indexes')).toEqual(of(own, 'indexes'))
    expect(of(hosted, 'migrations')).toEqual(of(own, 'migrations'))
    await host.db.transaction().execute(async trx => {
      const inside = kyselyStorage(trx, dialect, placeOf(host.database.address))
      expect([inside.inspect, await inside.migrated?.()]).toEqual([undefined, true])
    })
    await host.storage.transaction(async inside => expect(inside.inspect).toBe(undefined))
  })

  test('migrations that are missing, and those of a newer version', async () => {
    await migrateTo(host.db, host.database.address.dialect, placeOf(host.database.address), '0004-walks')
    expect(await host.storage.migrated?.()).toBe(false)
    const missing = Object.keys(MIGRATIONS).filter(name => name > '0004-walks')
    const old = await host.storage.inspect?.(REQUEST)
    expect(of(old, 'migrations')).toEqual([`problem: Migrations are missing: ${missing.join(', ')}.`])
    await host.storage.migrate({ contract: false })
    await run(`insert into tillkit_migrations (name, timestamp) values ('9999-later', 'now')`)
    expect(await host.storage.migrated?.()).toBe(true)
    const newer = await host.storage.inspect?.(REQUEST)
    expect(of(newer, 'migrations')[1]).toBe(
      'warning: A newer version of Tillkit has been at the database: 9999-later.',
    )
    const left = isMysql() ? [] : [expect.stringMatching(/^note: .* tillkit_payments_by_date/)]
    expect(of(newer, 'indexes')).toEqual([expect.stringMatching(/^ok: /), ...left])
  })

  test('indexes that are gone: what is said to be run makes them anew', async () => {
    await host.storage.migrate()
    await dropIndex('tillkit_payments_guarded_reference', 'tillkit_payments')
    await dropIndex('tillkit_deliveries_due', 'tillkit_deliveries')
    await dropIndex('tillkit_api_keys_by_hash', 'tillkit_api_keys')
    const inspected = await host.storage.inspect?.(REQUEST)
    const gone = inspected?.findings.filter(({ check }) => check === 'indexes') ?? []
    expect(gone.map(({ level, says }) => [level, says.split(':')[0]]).sort()).toEqual([
      ['problem', 'The index tillkit_payments_guarded_reference of tillkit_payments is missing'],
      ['warning', 'The index tillkit_api_keys_by_hash of tillkit_api_keys is missing'],
      ['warning', 'The index tillkit_deliveries_due of tillkit_deliveries is missing'],
    ])
    for (const { advice } of gone) await run(advice?.replace(/^Run: /, '') ?? '')
    expect(await found(host.storage, 'indexes')).toEqual([expect.stringMatching(/^ok: /)])
  })

  test('columns and tables that are gone', async () => {
    await host.storage.migrate()
    await run('alter table tillkit_payments drop column failure')
    await run('drop table tillkit_payment_blocks')
    expect(await found(host.storage, 'tables')).toEqual([
      'problem: The table tillkit_payments has no failure.',
      'problem: The table tillkit_payment_blocks is gone.',
    ])
  })

  test('a migration that got no further than its first table, and tables that are all gone but that one', async () => {
    await host.storage.migrate()
    const tables = await tablesOf(host.db, host.database.address)
    for (const name of tables.filter(name => name !== 'tillkit_migrations')) await run(`drop table ${name}`)
    const gone = await host.storage.inspect?.(REQUEST)
    const others = tables.length - 1
    expect(of(gone, 'tables')).toEqual(Array(others).fill(expect.stringMatching(/^problem: .* is gone\.$/)))
    expect(of(gone, 'migrations')[0]).toMatch(/^ok: /)
    await run('delete from tillkit_migrations')
    const begun = await host.storage.inspect?.(REQUEST)
    expect(of(begun, 'migrations')).toEqual([expect.stringMatching(/^problem: Migrations are missing: 0001/)])
    expect([...of(begun, 'tables'), ...of(begun, 'indexes')]).toEqual([])
  })

  test('a database that does not answer rejects, as any call does', async () => {
    await host.storage.migrate()
    await host.storage.close()
    await expect(host.storage.migrated?.()).rejects.toThrow('the storage is closed')
    await expect(host.storage.inspect?.(REQUEST)).rejects.toThrow('the storage is closed')
  })
})

overPostgres(({ create }) => {
  const host = inTables(create, { layout: {} })

  test('an index that was never finished is broken, and what is said to be run mends it', async () => {
    await host.run(`update pg_index set indisvalid = false
      where indexrelid = to_regclass('tillkit_deliveries_due')`)
    const [broken] =
      (await host.storage.inspect?.(REQUEST))?.findings.filter(({ check }) => check === 'indexes') ?? []
    expect([broken?.level, broken?.says]).toEqual([
      'warning',
      expect.stringContaining('The index tillkit_deliveries_due of tillkit_deliveries is broken'),
    ])
    for (const statement of broken?.advice?.replace(/^Run: /, '').split('; ') ?? []) await host.run(statement)
    expect(await found(host.storage, 'indexes')).toEqual([expect.stringMatching(/^ok: /)])
  })
})
