import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { type CheckOnce, checkOnce } from '../connections/check-once.ts'
import { splitOptions } from '../connections/time-limits.ts'
import { type Dialect, type DialectName, dialectOf } from '../dialects/index.ts'
import { faultOf } from '../faults/fault-of.ts'
import type { KyselyStorageOptions } from '../kysely-storage.ts'
import { assertKysely } from '../schema/given-kysely.ts'
import { readGiven } from '../schema/invalid-input.ts'
import { namesOf } from '../schema/names.ts'
import type { Tables } from '../schema/tables.ts'
import { runAgain } from '../session/run-again.ts'
import { migrateInOneTransaction } from './in-one-transaction.ts'
import type { TableSuffix } from './migration-context.ts'
import { MIGRATIONS } from './migrations.ts'
import { agreedPartitions, type Layout, layoutOf, splitLayout } from './partitions.ts'
import { refuseForeign } from './refuse-foreign.ts'
import { refuseNewer } from './refuse-newer.ts'

/** How often a migration is begun that meets another one. */
const MOST_TRIES = 50

/** Where the tables are, how they are laid out, and how long calls take at most. */
export interface MigrateOptions extends KyselyStorageOptions, Layout {}

/**
 * Creates Tillkit's tables or brings them up to date; safe to call from several processes at once, and at every start.
 * Throws `DatabaseError` for a database that a newer version has been at, or that cannot be reached, and for a session in
 * which statements would mean something else, before anything is made.
 */
export function migrate<HostTables>(
  db: Kysely<HostTables>,
  dialect: DialectName,
  options: MigrateOptions = {},
): Promise<void> {
  return run(db, dialect, options, 'unknown')
}

/** The same over connections of a storage's own, whose sessions it has set right or checked. */
export function migrateOwn(db: Kysely<Tables>, dialect: DialectName, options: MigrateOptions): Promise<void> {
  return run(db, dialect, options, 'right')
}

/** The same, no further than the migration called `name`. */
export function migrateTo<HostTables>(
  db: Kysely<HostTables>,
  dialect: DialectName,
  options: MigrateOptions,
  name: string,
): Promise<void> {
  return run(db, dialect, options, 'unknown', name)
}

async function run<HostTables>(
  db: Kysely<HostTables>,
  dialectName: DialectName,
  options: MigrateOptions,
  sessions: 'right' | 'unknown',
  upTo?: string,
): Promise<void> {
  const { dialect, names, partitions } = readGiven('migrate', () => {
    assertKysely(db)
    const dialect = dialectOf(dialectName)
    const { layout, rest } = splitLayout(splitOptions(options).names)
    return { dialect, names: namesOf(rest, dialect), partitions: layoutOf(layout, dialect) }
  })
  const check = checkOnce(sessions === 'unknown' ? dialect.sessionCheck?.(undefined) : undefined)
  try {
    await bringUpToDate(db, dialect, { ...names, partitions }, check, upTo)
  } catch (error) {
    throw faultOf(error, dialect)
  }
}

async function bringUpToDate<HostTables>(
  db: Kysely<HostTables>,
  dialect: Dialect,
  names: ReturnType<typeof namesOf> & Layout,
  check: CheckOnce,
  upTo?: string,
): Promise<void> {
  const named = (name: string) => `${names.tablePrefix}${name}`
  const plain = db.withoutPlugins() as Kysely<unknown>
  const checkSession = (on: Kysely<unknown>) =>
    on.getExecutor().provideConnection(async connection => check(connection))
  await runAgain(dialect, true, () => checkSession(plain))
  const schema = names.schema ?? (await runAgain(dialect, true, () => currentSchema(plain, dialect)))
  const placed = schema === undefined ? plain : plain.withSchema(schema)
  await runAgain(dialect, true, () => refuseForeign(plain, dialect, schema, named))
  await refuseNewer(placed, dialect, named('migrations'))
  const place = { schema, table: named('payments') }
  const partitions = await agreedPartitions(plain, dialect, place, names.partitions)
  const suffix = await tableSuffix(plain, dialect)
  const table = named('migrations')
  const migrations = Object.fromEntries(
    Object.entries(MIGRATIONS)
      .filter(([name]) => upTo === undefined || name <= upTo)
      .map(([name, up]) => [
        name,
        async (trx: Kysely<unknown>) => {
          // Connections of one pool may differ.
          await checkSession(trx)
          const placedHere = schema === undefined ? trx : trx.withSchema(schema)
          await up({ db: placedHere, dialect, suffix, schema, partitions, named })
        },
      ]),
  )
  try {
    if (dialect.name === 'postgres') {
      await migrateInOneTransaction(plain, { dialect, schema, table, migrations })
    } else await migrateByKysely(plain, dialect, table, named('migrations_lock'), migrations)
  } catch (error) {
    await refuseNewer(placed, dialect, table)
    throw error
  }
}

async function migrateByKysely(
  db: Kysely<unknown>,
  dialect: Dialect,
  migrationTableName: string,
  migrationLockTableName: string,
  migrations: Record<string, (db: Kysely<unknown>) => Promise<void>>,
): Promise<void> {
  const migrator = new Migrator({
    db,
    migrationTableName,
    migrationLockTableName,
    provider: {
      getMigrations: async () =>
        Object.fromEntries(Object.entries(migrations).map(([name, up]) => [name, { up }])),
    },
  })
  for (let tries = 1; ; tries++) {
    const { error } = await migrator.migrateToLatest()
    if (!error) return
    if (tries === MOST_TRIES || !dialect.isBesideAnother?.(error)) throw error
    await sleep(Math.random() * 500)
  }
}

/** Where PostgreSQL makes tables; left unsaid, those of another schema would be taken for this one's. */
async function currentSchema(db: Kysely<unknown>, { name }: Dialect): Promise<string | undefined> {
  if (name !== 'postgres') return undefined
  const { rows } = await sql<{ name: string | null }>`select current_schema() as name`.execute(db)
  return rows[0]?.name ?? undefined
}

/** MySQL and MariaDB compare text to the letter, trailing spaces too, under names that differ. */
async function tableSuffix(db: Kysely<unknown>, { name }: Dialect): Promise<TableSuffix> {
  if (name !== 'mysql') return null
  const { rows } = await sql<{ version: string }>`select version() as version`.execute(db)
  const collation = /mariadb/i.test(rows[0]?.version ?? '') ? 'utf8mb4_nopad_bin' : 'utf8mb4_0900_bin'
  return sql`engine = InnoDB default character set utf8mb4 collate ${sql.raw(collation)}`
}
