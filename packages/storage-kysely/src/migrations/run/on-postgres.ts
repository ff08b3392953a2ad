import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { isSet } from '../../schema/is-set.ts'
import { runAgain } from '../../session/transactions/run-again.ts'
import { type Step, tablesOf } from '../indexes/plan.ts'
import type { Migration } from '../migration.ts'
import type { Migrations } from '../migrations.ts'
import { againOn } from './again-on.ts'
import { doInTransaction } from './in-transaction.ts'
import { makeLeases } from './lease.ts'
import { changeOnline } from './online-on-postgres.ts'
import {
  areNotesThere,
  leftOfIndexes,
  makeNotes,
  makeTables,
  type Run,
  split,
  whatIsLeft,
  whatIsLeftOnline,
} from './run.ts'
import { inShortTransaction } from './short-transaction.ts'

/** Of kysely's migrator, which earlier versions migrate with: they and this one wait for each other. */
export const MIGRATION_LOCK = sql.lit('3853314791062309107')

const LONGEST_PAUSE = 250

/** What a transaction has done: nothing but the tables are there where indexes of tables with rows are left. */
type Done = 'nothing' | 'some tables' | 'tables' | 'all'

/**
 * Makes tables and columns, each table that was there in a transaction of its own, and then changes indexes, one after the other, each by
 * a statement of its own. In a transaction of the host's all of it is done in that one.
 */
export async function migrateOnPostgres(db: Kysely<unknown>, run: Run): Promise<void> {
  const { isTransaction } = db
  if (await againOn(db, run.dialect)(() => isDone(db, run))) return
  const shortly = () => inShortTransaction(db, run, trx => migrateIfFree(trx, run, false))
  for (;;) {
    const done = await (isTransaction ? migrateIfFree(db, run, true) : runAgain(run.dialect, true, shortly))
    if (done === 'tables') await changeOnline(db, run)
    if (done === 'some tables') continue
    if (done !== 'nothing') return
    await sleep(20 + Math.random() * LONGEST_PAUSE)
  }
}

/** Asked without the lock: a migration of the host's, which kysely holds it for, may take long, or wait for this one. */
async function isDone(db: Kysely<unknown>, run: Run): Promise<boolean> {
  const left = await leftOfIndexes(db, run, db.isTransaction ? whatIsLeft : whatIsLeftOnline)
  return left !== undefined && (left.length === 0 || !(await mayDo(db, run, left)))
}

/**
 * Nothing where another has the lock, which is the transaction's: a pooler may hand each transaction another session, which a
 * lock of the session would be left in. Whoever has to wait lets go of its connection meanwhile.
 */
async function migrateIfFree(trx: Kysely<unknown>, run: Run, hosted: boolean): Promise<Done> {
  const { rows } = await sql<{
    free: unknown
  }>`select pg_try_advisory_xact_lock(${MIGRATION_LOCK})::int as free`.execute(trx)
  if (!isSet(rows[0]?.free)) return 'nothing'
  if (!(await areNotesThere(trx, run))) {
    if (run.schema !== undefined) await makeSchema(trx, run.schema)
    await makeNotes(trx, run)
  }
  const { done, pending } = await split(trx, run)
  const made = await makeTables(trx, run, pending, !hosted)
  if (!made) return 'some tables'
  if (hosted) {
    await doInTransaction(trx, run, await whatIsLeft(trx, run, { done, pending }))
    return 'all'
  }
  // What nobody has seen yet needs no care.
  const unseen = { done: {}, pending: unseenOf(pending, run, made) }
  await doInTransaction(trx, run, await whatIsLeft(trx, run, unseen, true))
  const left = await whatIsLeftOnline(trx, run, await split(trx, run))
  if (left.length === 0 || !(await mayDo(trx, run, left))) return 'all'
  await makeLeases(trx, run)
  return 'tables'
}

/** Who may change no table works on without an index that is gone, as before: `inspect` tells of it. */
async function mayDo(trx: Kysely<unknown>, { schema, named }: Run, left: Step[]): Promise<boolean> {
  if (left.some(step => step.kind === 'note' || !step.mends)) return true
  const { rows } = await sql<{ may: unknown }>`
    select (has_schema_privilege(n.oid, 'create') and pg_has_role(c.relowner, 'usage'))::int as may
    from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
    where n.nspname = ${sql.lit(schema)} and c.relname = ${sql.lit(named('payments'))}`.execute(trx)
  return isSet(rows[0]?.may)
}

/** The migrations, up to the first one that changes indexes of a table that was there. */
function unseenOf(pending: Migrations, { dialect, named }: Run, made: Set<string>): Migrations {
  const all = Object.entries(pending)
  const isSeen = ([name, migration]: [string, Migration]) =>
    tablesOf({ [name]: migration }, dialect, named).some(table => !made.has(table))
  const end = all.findIndex(isSeen)
  return Object.fromEntries(end < 0 ? all : all.slice(0, end))
}

async function makeSchema(trx: Kysely<unknown>, schema: string): Promise<void> {
  const { rows } = await sql`select from pg_namespace where nspname = ${schema}`.execute(trx)
  if (rows.length === 0) await sql`create schema ${sql.id(schema)}`.execute(trx)
}
