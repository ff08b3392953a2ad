import { type Kysely, sql, type Transaction } from 'kysely'
import { type CheckOnce, checkOnce } from '../connections/check-once.ts'
import { splitOptions } from '../connections/limits/time-limits.ts'
import { type Dialect, type DialectName, dialectOf } from '../dialects/index.ts'
import { faultOf } from '../faults/fault-of.ts'
import type { KyselyStorageOptions } from '../kysely-storage.ts'
import { assertKysely } from '../schema/given-kysely.ts'
import { readGiven } from '../schema/invalid-input.ts'
import { type NameOptions, namesOf } from '../schema/names.ts'
import type { Tables } from '../schema/tables.ts'
import { currentSchema } from './current-schema.ts'
import type { TableSuffix } from './migration.ts'
import { MIGRATIONS } from './migrations.ts'
import { type Asked, askedOf, type MigrateOptions, splitMigrateOptions } from './options.ts'
import { refuseForeign } from './refusals/refuse-foreign.ts'
import { refuseNewer } from './refusals/refuse-newer.ts'
import { againOn } from './run/again-on.ts'
import { correctRows } from './run/correct-rows.ts'
import { migrateOnMysql } from './run/on-mysql.ts'
import { migrateOnPostgres } from './run/on-postgres.ts'
import { migrateOnSqlite } from './run/on-sqlite.ts'
import { agreedLayout } from './tables/layout.ts'

/**
 * Creates Tillkit's tables or brings them up to date; safe to call from several processes at once, and at every start.
 * Throws `DatabaseError` for a database that a newer version has been at, or that cannot be reached, and for a session in
 * which statements would mean something else, before anything is made.
 */
export function migrate<HostTables>(
  db: Kysely<HostTables> | Transaction<HostTables>,
  dialect: DialectName,
  options: KyselyStorageOptions & MigrateOptions = {},
): Promise<void> {
  return migrateAs(db, dialect, options, { sessions: 'unknown' })
}

/** The same over connections of a storage's own, whose sessions it has set right or checked. */
export function migrateOwn(
  db: Kysely<Tables>,
  dialect: DialectName,
  options: NameOptions & MigrateOptions,
): Promise<void> {
  return migrateAs(db, dialect, options, { sessions: 'right' })
}

/** The same, no further than the migration called `name`. */
export function migrateTo<HostTables>(
  db: Kysely<HostTables>,
  dialect: DialectName,
  options: KyselyStorageOptions & MigrateOptions,
  name: string,
): Promise<void> {
  return migrateAs(db, dialect, options, { sessions: 'unknown', upTo: name })
}

interface Asking {
  sessions: 'right' | 'unknown'
  /** The last migration; all where it is left out. */
  upTo?: string
}

async function migrateAs<HostTables>(
  db: Kysely<HostTables> | Transaction<HostTables>,
  dialectName: DialectName,
  options: KyselyStorageOptions & MigrateOptions,
  { sessions, upTo }: Asking,
): Promise<void> {
  const { dialect, names, asked } = readGiven('migrate', () => {
    assertKysely(db)
    const dialect = dialectOf(dialectName)
    const { asked, rest } = splitMigrateOptions(options)
    return { dialect, names: namesOf(splitOptions(rest).names, dialect), asked: askedOf(asked, dialect) }
  })
  const check = checkOnce(sessions === 'unknown' ? dialect.sessionCheck?.(undefined) : undefined)
  try {
    await bringUpToDate((db as Kysely<unknown>).withoutPlugins(), dialect, names, asked, check, upTo)
  } catch (error) {
    throw faultOf(error, dialect)
  }
}

async function bringUpToDate(
  db: Kysely<unknown>,
  dialect: Dialect,
  names: ReturnType<typeof namesOf>,
  asked: Asked,
  check: CheckOnce,
  upTo?: string,
): Promise<void> {
  const named = (name: string) => `${names.tablePrefix}${name}`
  const checkSession = (on: Kysely<unknown>) =>
    on.getExecutor().provideConnection(async connection => check(connection))
  const again = againOn(db, dialect)
  await again(() => checkSession(db))
  const schema = names.schema ?? (await again(() => currentSchema(db, dialect, named)))
  const placed = schema === undefined ? db : db.withSchema(schema)
  const hasNotes = await again(() => refuseForeign(MIGRATIONS, db, dialect, schema, named))
  // PostgreSQL would end a transaction at a read of what is not there.
  const isNew = db.isTransaction && !hasNotes
  const readNotes = () => refuseNewer(MIGRATIONS, placed, dialect, named('migrations'))
  const before = isNew ? new Map() : await again(readNotes)
  const place = { schema, table: named('payments') }
  const agree = (on: Kysely<unknown>) => agreedLayout(on, dialect, place, asked.layout)
  await again(() => agree(db))
  const suffix = await again(() => tableSuffix(db, dialect))
  const wanted = Object.fromEntries(
    Object.entries(MIGRATIONS).filter(([name]) => upTo === undefined || name <= upTo),
  )
  const run = {
    ...{ ...asked, dialect, schema, suffix, named, known: MIGRATIONS, wanted, checkSession, agree },
    unmended: new Set<string>(),
  }
  await ENGINES[dialect.name](db, run)
  if (run.contract) await correctRows(db, run, before)
}

const ENGINES = { sqlite: migrateOnSqlite, postgres: migrateOnPostgres, mysql: migrateOnMysql }

/** MySQL and MariaDB compare text to the letter, trailing spaces too, under names that differ. */
async function tableSuffix(db: Kysely<unknown>, { name }: Dialect): Promise<TableSuffix> {
  if (name !== 'mysql') return null
  const { rows } = await sql<{ version: string }>`select version() as version`.execute(db)
  const collation = /mariadb/i.test(rows[0]?.version ?? '') ? 'utf8mb4_nopad_bin' : 'utf8mb4_0900_bin'
  return sql`engine = InnoDB row_format = dynamic default character set utf8mb4 collate ${sql.raw(collation)}`
}
