import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialects/index.ts'
import { runAgain } from '../session/run-again.ts'
import { assertKnown } from './refuse-newer.ts'

/** Of kysely's migrator, which earlier versions migrate with: they and this one wait for each other. */
const LOCK = sql.lit('3853314791062309107')

const LONGEST_PAUSE = 250

interface Steps {
  dialect: Dialect
  /** Where the tables are. */
  schema: string | undefined
  /** The table of what has been done. */
  table: string
  /** By name, in order. */
  migrations: Record<string, (trx: Kysely<unknown>) => Promise<void>>
}

/**
 * Does the migrations that have not been done, all or none, in a transaction that has the lock from its begin to its end: a
 * pooler may hand each transaction another session, which a lock of the session would be left in. Whoever has to wait lets
 * go of its connection meanwhile.
 */
export async function migrateInOneTransaction(db: Kysely<unknown>, steps: Steps): Promise<void> {
  if (db.isTransaction) {
    while (!(await migrateIfFree(db, steps))) await pause()
    return
  }
  const attempt = () =>
    db
      .transaction()
      .setIsolationLevel('read committed')
      .execute(trx => migrateIfFree(trx, steps))
  while (!(await runAgain(steps.dialect, true, attempt))) await pause()
}

const pause = () => sleep(20 + Math.random() * LONGEST_PAUSE)

/** False where another has the lock. */
async function migrateIfFree(trx: Kysely<unknown>, { schema, table, migrations }: Steps): Promise<boolean> {
  const { rows } = await sql<{ free: boolean }>`select pg_try_advisory_xact_lock(${LOCK}) as free`.execute(
    trx,
  )
  if (!rows[0]?.free) return false
  const done = schema === undefined ? sql.table(table) : sql.id(schema, table)
  if (!(await isThere(trx, schema, table))) {
    if (schema !== undefined) await makeSchema(trx, schema)
    await sql`create table ${done}
      (name varchar(255) not null primary key, timestamp varchar(255) not null)`.execute(trx)
  }
  const { rows: names } = await sql<{ name: string }>`select name from ${done} order by name`.execute(trx)
  const known = names.map(({ name }) => name)
  assertKnown(known)
  for (const [name, up] of Object.entries(migrations)) {
    if (known.includes(name)) continue
    await up(trx)
    await sql`insert into ${done} values (${name}, ${new Date().toISOString()})`.execute(trx)
  }
  return true
}

/** Asked first, since whoever may make nothing may not say `if not exists` either of what is there. */
async function isThere(trx: Kysely<unknown>, schema: string | undefined, table: string): Promise<boolean> {
  const place = schema === undefined ? sql`current_schema()` : sql`${schema}`
  const { rows } = await sql`select from pg_class
    where relname = ${table} and relnamespace = (select oid from pg_namespace where nspname = ${place})`.execute(
    trx,
  )
  return rows.length > 0
}

async function makeSchema(trx: Kysely<unknown>, schema: string): Promise<void> {
  const { rows } = await sql`select from pg_namespace where nspname = ${schema}`.execute(trx)
  if (rows.length === 0) await sql`create schema ${sql.id(schema)}`.execute(trx)
}
