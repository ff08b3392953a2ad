import { type Kysely, sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { DatabaseStorage } from '../../src/index.ts'
import { migrateTo } from '../../src/migrations/migrate.ts'
import { MIGRATIONS } from '../../src/migrations/migrations.ts'
import { type HostTables, hostDatabaseAt, placeOf, storageAt } from '../engines/address.ts'
import type { TestDatabase } from '../engines/engine.ts'
import { overEveryEngine } from '../engines/index.ts'
import { schemaOf } from './versions/schema-of.ts'

overEveryEngine(({ create, name: engine }) => {
  let database: TestDatabase
  let db: Kysely<HostTables>
  let storage: DatabaseStorage

  beforeEach(async () => {
    database = await create()
    db = hostDatabaseAt(database.address)
    storage = storageAt(database.address)
  })

  afterEach(async () => {
    await storage.close()
    await db.destroy()
    await database.drop()
  })

  const from = (version: string) =>
    migrateTo(db, database.address.dialect, placeOf(database.address), version)

  const left = async () =>
    (await storage.migrationsLeft()).map(({ migration, step, index }) =>
      [migration.slice(0, 4), step, ...(index === null ? [] : [index])].join(' '),
    )

  /** What this version reads by no more, and the version `0008-payment-sums` did. */
  const UNREAD: Record<string, string[]> = {
    SQLite: ['0010 drop tillkit_deliveries_by_state'],
    PostgreSQL: ['0010 drop tillkit_deliveries_of_state'],
  }

  test('in a database without tables all of it is left, and that makes none', async () => {
    const before = await schemaOf(db, database.address)
    const steps = await left()
    const migrations = Object.keys(MIGRATIONS).map(name => `${name.slice(0, 4)} tables`)
    expect(steps.filter(step => step.endsWith('tables'))).toEqual(migrations)
    expect(steps).toContain('0009 build tillkit_statements_newest')
    expect(steps.filter(step => step.includes('correct'))).toEqual([])
    expect(await schemaOf(db, database.address)).toEqual(before)
    await storage.migrate()
    expect(await storage.migrationsLeft()).toEqual([])
  })

  test('tables, indexes and what goes are left in a database of the version before', async () => {
    await from('0008-payment-sums')
    expect((await left()).toSorted()).toEqual(
      [
        ...[
          '0009 tables',
          '0009 build tillkit_statements_newest',
          '0009 build tillkit_settlements_of_statement',
        ],
        ...['0009 correct', '0010 tables', ...(UNREAD[engine] ?? [])],
        ...(UNREAD[engine] ? ['0010 build tillkit_deliveries_undelivered'] : []),
      ].toSorted(),
    )
  })

  test('what processes of the version before need, and leave out of totals, is left once all else is done', async () => {
    await from('0008-payment-sums')
    await storage.migrate({ contract: false })
    expect(await storage.migrated?.()).toBe(true)
    expect(await left()).toEqual([...(UNREAD[engine] ?? []), '0009 correct'])
    expect((await storage.migrationsLeft()).at(-1)).toEqual({
      ...{ migration: '0009-settlements', step: 'correct', table: 'tillkit_settlements', index: null },
    })
    await storage.migrate()
    expect(await left()).toEqual(['0009 correct'])
    await storage.migrate({ contract: true })
    expect(await left()).toEqual([])
  })

  test('where a newer version has been, what is left is not for this one', async () => {
    await from('0008-payment-sums')
    await storage.migrate({ contract: false })
    await sql`insert into tillkit_migrations values ('9999-the-future', '2030-01-01T00:00:00.000Z')`.execute(
      db,
    )
    expect(await left()).toEqual([])
  })

  test('in the work of a transaction it is refused on SQLite, whose one writer that has, and told elsewhere', async () => {
    await storage.migrate()
    const asked = storage.transaction(() => storage.migrationsLeft())
    if (engine === 'SQLite') await expect(asked).rejects.toThrow(/transaction/)
    else expect(await asked).toEqual([])
  })
})
