import { DatabaseError } from '@tillkit/storage'
import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialects/dialect.ts'
import { faultOf } from '../faults/fault-of.ts'
import { MIGRATION_LOCK } from '../migrations/run/on-postgres.ts'
import { inShortTransaction } from '../migrations/run/short-transaction.ts'
import { FUNCTION_SETTINGS } from '../postgres/sessions/session-settings.ts'
import { isSet } from '../schema/is-set.ts'
import { quoted } from '../schema/quoted.ts'
import type { Flag, Tables } from '../schema/tables.ts'
import { runAgain } from '../session/transactions/run-again.ts'
import { type Definition, functionsOf } from './functions/index.ts'
import { assertNodesAsMeant } from './nodes/node-settings.ts'

type Names = { schema?: string | undefined; tablePrefix: string }

/** By the merchant, so that all that a request writes is at one node. */
const BY_MERCHANT = {
  merchants: 'id',
  ledgers: 'merchant_id',
  payments: 'merchant_id',
  payment_blocks: 'merchant_id',
  payment_sums: 'merchant_id',
  cash_ups: 'merchant_id',
  settlements: 'merchant_id',
  deliveries: 'merchant_id',
  delivery_attempts: 'merchant_id',
  failing_endpoints: 'merchant_id',
} as const satisfies Partial<Record<keyof Tables, string>>

/** Looked up by something else than the merchant, and seldom written: whole at every node. */
const EVERYWHERE = ['scan_codes', 'api_keys', 'statements'] as const satisfies (keyof Tables)[]

/**
 * Lays the tables out over the nodes, with what they hold, in one transaction: whoever is at the database beside it finds them
 * as they were, waits, and then finds them distributed. What is laid out already stays as it is. Throws `DatabaseError` where a node is set
 * to read or write otherwise than is meant.
 */
export async function distributeTables(db: Kysely<Tables>, dialect: Dialect, names: Names): Promise<void> {
  const plain = db.withoutPlugins() as Kysely<unknown>
  await again(dialect, () =>
    inShortTransaction(plain, { dialect, checkSession: async () => {} }, trx => layOut(trx, names)),
  )
  // The functions are there by then: without those of its version a host would take the tables for those of one server.
  await again(dialect, () => assertNodesAsMeant(plain))
}

/** Whether they have been, so that what a migration adds has to be as well. Throws `DatabaseError` where that cannot be asked. */
export async function areDistributed(db: Kysely<Tables>, dialect: Dialect, names: Names): Promise<boolean> {
  const plain = db.withoutPlugins() as Kysely<unknown>
  return again(dialect, () => askWhetherDistributed(plain, names))
}

/** Does what may be done twice, again where it was undone or the connection lost. What it throws in the end is a host's to see. */
async function again<Result>(dialect: Dialect, work: () => Promise<Result>): Promise<Result> {
  try {
    return await runAgain(dialect, true, work)
  } catch (error) {
    throw faultOf(error, dialect)
  }
}

async function askWhetherDistributed(plain: Kysely<unknown>, names: Names): Promise<boolean> {
  const schema = names.schema ?? (await currentSchema(plain))
  const ledgers = quoted(schema, `${names.tablePrefix}ledgers`)
  const { rows: citus } = await sql`select where to_regclass('pg_dist_partition') is not null`.execute(plain)
  if (citus.length === 0) return false
  const { rows } =
    await sql`select from pg_dist_partition where logicalrelid = to_regclass(${ledgers})`.execute(plain)
  return rows.length > 0
}

async function layOut(trx: Kysely<unknown>, names: Names): Promise<void> {
  await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(trx)
  const schema = names.schema ?? (await currentSchema(trx))
  const table = (name: string) => quoted(schema, `${names.tablePrefix}${name}`)
  await assertPossible(trx, table('ledgers'))
  const left = await haveAlone(trx, [...Object.keys(BY_MERCHANT), ...EVERYWHERE].map(table))
  if (left.has(table('ledgers'))) await assertNodesAsMeant(trx)
  // The nodes are told of one table after another, over the same connections.
  await sql`set local citus.multi_shard_modify_mode = 'sequential'`.execute(trx)
  await sql`set local client_min_messages = warning`.execute(trx)
  for (const [name, column] of Object.entries(BY_MERCHANT)) {
    const whole = table(name)
    const beside = name === 'merchants' ? 'none' : table('merchants')
    if (!left.has(whole)) continue
    await sql`select create_distributed_table(${whole}, ${column}, colocate_with => ${beside})`.execute(trx)
    await dropCopy(trx, whole)
  }
  for (const whole of EVERYWHERE.map(table)) {
    if (!left.has(whole)) continue
    await sql`select create_reference_table(${whole})`.execute(trx)
    await dropCopy(trx, whole)
  }
  for (const definition of functionsOf(table)) await makeFunction(trx, definition, table)
}

async function currentSchema(trx: Kysely<unknown>): Promise<string> {
  const { rows } = await sql<{ name: string }>`select current_schema() as name`.execute(trx)
  return rows[0]?.name ?? 'public'
}

async function assertPossible(trx: Kysely<unknown>, ledgers: string): Promise<void> {
  const { rows } = await sql<{ citus: Flag; tables: Flag }>`select
    exists (select from pg_extension where extname = 'citus') as citus, to_regclass(${ledgers}) is not null as tables`.execute(
    trx,
  )
  if (!isSet(rows[0]?.citus)) {
    throw new DatabaseError('the database has no Citus: create extension citus, and add its workers, first')
  }
  if (!isSet(rows[0]?.tables))
    throw new DatabaseError('there are no tables to distribute yet: call storage.migrate() first')
}

/**
 * Those of the tables that are not laid out yet, locked before the first one is. Who writes locks them in an order of its own:
 * what comes to meet it waits no longer than the transaction does, and lets it by.
 */
async function haveAlone(trx: Kysely<unknown>, tables: string[]): Promise<ReadonlySet<string>> {
  // An earlier version's tables lack some: the migration that makes them lays them out.
  const { rows } = await sql<{ name: string }>`select name from unnest(${tables}::text[]) as name
    where to_regclass(name) is not null
    and not exists (select from pg_dist_partition where logicalrelid = to_regclass(name))`.execute(trx)
  const left = rows.map(({ name }) => name)
  if (left.length > 0) await sql`lock table ${sql.raw(left.join(', '))}`.execute(trx)
  await sql`set local lock_timeout to default`.execute(trx)
  return new Set(left)
}

/** What was copied to the nodes is still here as well, where nobody can see it. */
async function dropCopy(trx: Kysely<unknown>, whole: string): Promise<void> {
  await sql`select truncate_local_data_after_distributing_table(${whole}::regclass)`.execute(trx)
}

async function makeFunction(
  trx: Kysely<unknown>,
  { name, takes, returns, byOwner = false, settings = [], body }: Definition,
  table: (name: string) => string,
): Promise<void> {
  const given = byOwner ? settings : [...FUNCTION_SETTINGS, ...settings]
  const types = takes.map(one => one.slice(one.lastIndexOf(' ') + 1))
  const signature = `${table(name)}(${types.join(', ')})`
  const { rows } = await sql<{ set: Flag }>`select
      coalesce(proconfig @> ${given}::text[], false) as set
    from pg_dist_object join pg_proc on pg_proc.oid = objid
    where classid = 'pg_proc'::regclass and objid = to_regprocedure(${signature})`.execute(trx)
  if (isSet(rows[0]?.set)) return
  await sql
    .raw(
      `create or replace function ${table(name)}(${takes.join(', ')}) returns ${returns}
language plpgsql ${byOwner ? 'security definer ' : ''}${given.map(one => `set ${one}`).join(' ')} as $till$${body}$till$`,
    )
    .execute(trx)
  if (rows.length > 0) return
  await (byOwner
    ? sql`select create_distributed_function(${signature}::regprocedure)`
    : sql`select create_distributed_function(${signature}::regprocedure, 'the_merchant', colocate_with => ${table('merchants')})`
  ).execute(trx)
}
