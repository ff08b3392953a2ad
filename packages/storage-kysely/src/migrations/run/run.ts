import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../../dialects/index.ts'
import { databaseTime } from '../../time/read-time.ts'
import { type FoundIndex, findIndexes } from '../indexes/find-indexes.ts'
import { indexOf, mend } from '../indexes/mend.ts'
import { type Change, plan, type Situation, type Step, tablesOf } from '../indexes/plan.ts'
import { type AgreedLayout, type MigrationContext, NextTransaction, type TableSuffix } from '../migration.ts'
import type { Migrations } from '../migrations.ts'
import type { Asked, MigrationStep } from '../options.ts'
import { assertKnown } from '../refusals/refuse-newer.ts'
import { findColumns } from '../tables/find-columns.ts'

/** What is to be done, and where. */
export interface Run extends Omit<Asked, 'layout'> {
  dialect: Dialect
  /** Where the tables are, on PostgreSQL. */
  schema: string | undefined
  suffix: TableSuffix
  named(name: string): string
  /** All that this version knows. */
  known: Migrations
  /** As far as it is to be done. */
  wanted: Migrations
  /** How tables are made: as those are that are there. */
  agree(on: Kysely<unknown>): Promise<AgreedLayout>
  /** Makes sure of a connection's session: those of one pool may differ. */
  checkSession(on: Kysely<unknown>): Promise<void>
  /** The indexes that could not be mended. */
  unmended: Set<string>
}

/** The name of a table or an index in a statement, with its schema. */
export function placed({ schema }: Pick<Run, 'schema'>, name: string) {
  return schema === undefined ? sql.id(name) : sql.id(schema, name)
}

/** Asked first, since whoever may make nothing may not say `if not exists` either of what is there. */
export async function areNotesThere(db: Kysely<unknown>, run: Run): Promise<boolean> {
  const table = run.named('migrations')
  return (await findColumns(db, run.dialect, run.schema, [table])).has(table)
}

/** Makes the table of what has been done. */
export async function makeNotes(db: Kysely<unknown>, run: Run): Promise<void> {
  await sql`create table if not exists ${placed(run, run.named('migrations'))}
    (name varchar(255) not null primary key, timestamp varchar(255) not null) ${run.suffix ?? sql``}`.execute(
    db,
  )
}

/** What has been noted, in order. */
export async function namesDone(db: Kysely<unknown>, run: Run): Promise<string[]> {
  const table = placed(run, run.named('migrations'))
  const { rows } = await sql<{ name: string }>`select name from ${table} order by name`.execute(db)
  return rows.map(({ name }) => name)
}

/** What has been done and what has not, in order. */
export async function split(
  db: Kysely<unknown>,
  run: Run,
): Promise<{ done: Migrations; pending: Migrations }> {
  const names = await namesDone(db, run)
  assertKnown(names, run.known)
  const isDone = (name: string) => names.includes(name)
  const pick = (passes: (name: string) => boolean) =>
    Object.fromEntries(Object.entries(run.wanted).filter(([name]) => passes(name)))
  return { done: pick(isDone), pending: pick(name => !isDone(name)) }
}

/** Notes that a migration, or a correction, has got to its end; another process may have done so already. */
export async function note(db: Kysely<unknown>, run: Run, migration: string): Promise<void> {
  const table = placed(run, run.named('migrations'))
  const row = sql`(${sql.lit(migration)}, ${sql.lit(await databaseTime(db, run.dialect))})`
  const insert =
    run.dialect.name === 'mysql'
      ? sql`insert ignore into ${table} (name, timestamp) values ${row}`
      : sql`insert into ${table} (name, timestamp) values ${row} on conflict do nothing`
  await insert.execute(db)
}

/**
 * Makes the tables and columns of what has not been done, and returns the tables that are new. `apart` it does no more than one
 * transaction is to, which ends after a table that was there, since it would hold that while it waits for the next: undefined where
 * more is left.
 */
export async function makeTables(
  db: Kysely<unknown>,
  run: Run,
  pending: Migrations,
  apart = false,
): Promise<Set<string> | undefined> {
  const { dialect, schema, suffix, named, tell } = run
  const made = new Set<string>()
  if (Object.keys(pending).length === 0) return made
  let held: string | undefined
  const begin = (table: string) => {
    if (held !== undefined && held !== table) throw new NextTransaction()
    if (!made.has(table)) held = table
  }
  const columnsOf = async (table: string) =>
    (await findColumns(db, dialect, schema, [table])).get(table) ?? []
  const context: MigrationContext = {
    db: schema === undefined ? db : db.withSchema(schema),
    ...{ dialect, suffix, schema, ...(await run.agree(db)), named, columnsOf, made },
    ...(apart && { begin }),
  }
  for (const [migration, { tables }] of Object.entries(pending)) {
    if (!tables) continue
    tell({ migration, step: 'tables', table: null, index: null, phase: null, done: 0, total: 0 })
    try {
      await tables(context)
    } catch (error) {
      if (error instanceof NextTransaction) return undefined
      throw error
    }
  }
  return made
}

type Place = Pick<Run, 'dialect' | 'schema' | 'named'>

/** What is left to be done once the tables are there. */
export async function whatIsLeft(
  db: Kysely<unknown>,
  run: Place & Pick<Run, 'contract'>,
  state: { done: Migrations; pending: Migrations },
  contract = run.contract,
): Promise<Step[]> {
  return plan(await situationOf(db, run, state, contract))
}

/** The same where indexes are changed while others write: what is gone of those that were there is built again, after all else. */
export async function whatIsLeftOnline(
  db: Kysely<unknown>,
  run: Place & Pick<Run, 'contract' | 'unmended'>,
  state: { done: Migrations; pending: Migrations },
): Promise<Step[]> {
  const situation = await situationOf(db, run, state, run.contract)
  const mending = mend(situation).filter(change => !run.unmended.has(indexOf(change, run.named)))
  return [...plan(situation), ...mending]
}

/** What is left, looked at without any lock; undefined where there are tables or columns to be made. */
export async function leftOfIndexes(
  db: Kysely<unknown>,
  run: Run,
  find: typeof whatIsLeft | typeof whatIsLeftOnline,
): Promise<Step[] | undefined> {
  if (!(await areNotesThere(db, run))) return undefined
  const state = await split(db, run)
  return Object.keys(state.pending).length === 0 ? find(db, run, state) : undefined
}

async function situationOf(
  db: Kysely<unknown>,
  { dialect, schema, named }: Place,
  { done, pending }: { done: Migrations; pending: Migrations },
  contract: boolean,
): Promise<Situation<FoundIndex>> {
  const indexes = await findIndexes(db, dialect, schema, tablesOf({ ...done, ...pending }, dialect, named))
  const found = new Map(indexes.map(index => [index.name, index]))
  return { dialect, named, pending, done, found, contract }
}

/** What is told of a step. */
export function progressOf(
  run: Pick<Run, 'named'>,
  step: Change,
  at: { phase: string | null; done: number; total: number } = { phase: null, done: 0, total: 0 },
) {
  return { ...stepOf(run, step), ...at }
}

/** Which step it is. */
export function stepOf({ named }: Pick<Run, 'named'>, step: Change) {
  const { migration, kind } = step
  const [table, index] =
    step.kind === 'build' ? [named(step.index.table), named(step.index.name)] : [step.table, step.name]
  return { migration, step: kind, table, index } satisfies MigrationStep
}
