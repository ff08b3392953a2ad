import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { migrateTo } from '../../../src/migrations/migrate.ts'
import type { Migration } from '../../../src/migrations/migration.ts'
import { MIGRATIONS } from '../../../src/migrations/migrations.ts'
import { hostDatabaseAt } from '../../engines/address.ts'
import type { TestDatabase } from '../../engines/engine.ts'
import { overEveryServer } from '../../engines/index.ts'
import { EARLIER_VERSIONS } from '../versions/earlier-versions.ts'
import { observedAt } from './observed.ts'

const NAMES = Object.keys(MIGRATIONS)
const NEXT = '9999-next'

/** What would hold others up at a table of 100,000,000 rows, and what is said of it. */
const BAD: [what: string, tables: NonNullable<Migration['tables']>, fault: RegExp][] = [
  [
    'an index that is not built online',
    async ({ db }) =>
      void (await db.schema
        .createIndex('blunt')
        .on('tillkit_payments')
        .columns(['merchant_id', 'failure'])
        .execute()),
    /create index/,
  ],
  [
    'a column of another type',
    async ({ db, dialect }) => {
      const change =
        dialect.name === 'postgres' ? sql`alter column fence type numeric` : sql`modify fence int`
      await sql`alter table tillkit_deliveries ${change}`.execute(db)
    },
    /alter table|was written anew/,
  ],
  [
    'rows that are written anew',
    async ({ db }) => void (await sql`update tillkit_payments set failure = null`.execute(db)),
    /update tillkit_payments/,
  ],
]

overEveryServer(({ name, create }) => {
  let database: TestDatabase

  beforeEach(async () => {
    database = await create()
  })

  afterEach(async () => {
    delete MIGRATIONS[NEXT]
    await database.drop()
  })

  /** What the migration does that it may not, to a database of the one before with rows in it. */
  const faultsOf = async (name: string, before: string) => {
    const { dialect } = database.address
    const db = hostDatabaseAt(database.address)
    await migrateTo(db, dialect, {}, before)
    await EARLIER_VERSIONS[before]?.write(db, dialect)
    await db.destroy()
    const observed = await observedAt(database.address)
    await migrateTo(observed.db, dialect, {}, name)
    return observed.close()
  }

  test.each(NAMES.slice(1).map((name, n) => [name, NAMES[n] ?? '']))(
    '%s takes no lock that keeps those waiting who are at rows',
    async (name, before) => {
      expect(await faultsOf(name, before)).toEqual([])
    },
  )

  describe('a migration is found that has', () => {
    // Of MariaDB it is not seen.
    if (name === 'PostgreSQL')
      test('a new column that each row gets a value of its own in', async () => {
        const tables: Migration['tables'] = async ({ db }) =>
          void (await sql`alter table tillkit_payments add column at timestamptz default clock_timestamp()`.execute(
            db,
          ))
        MIGRATIONS[NEXT] = { tables }
        expect(await faultsOf(NEXT, NAMES.at(-1) ?? '')).toEqual(['all of tillkit_payments was written anew'])
      })

    test.each(BAD)('%s', async (_, tables, fault) => {
      MIGRATIONS[NEXT] = { tables }
      const faults = await faultsOf(NEXT, NAMES.at(-1) ?? '')
      expect(faults.length).toBeGreaterThan(0)
      for (const one of faults) expect(one).toMatch(fault)
    })
  })
})
