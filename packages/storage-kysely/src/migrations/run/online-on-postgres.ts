import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { errorCode } from '../../dialects/error-code.ts'
import { runAgain } from '../../session/run-again.ts'
import type { Change, Step } from '../indexes/plan.ts'
import { onlineStatement } from '../indexes/statement-of.ts'
import { takeLease } from './lease.ts'
import { changeOverPartitions, isInPartitions } from './over-partitions.ts'
import { note, progressOf, type Run, split, whatIsLeft } from './run.ts'
import { type Place, watching } from './watching.ts'

const LONGEST_PAUSE = 500

/** How often in a row a change is begun that another session undoes. */
const MOST_TRIES = 30

/** duplicate_table, said of indexes too, and undefined_object: another process was faster. */
const OVERTAKEN = new Set(['42P07', '42704'])

/**
 * Changes indexes one after the other, one at a time over all processes. Two that are built at once would wait for each other's
 * snapshots, so nobody waits within the database: whoever finds another at it asks again later, and goes on with what is left.
 */
export async function changeOnline(db: Kysely<unknown>, run: Run): Promise<void> {
  const again = <Result>(work: () => Promise<Result>) => runAgain(run.dialect, true, work)
  const next = () =>
    again(async (): Promise<Step | undefined> => (await whatIsLeft(db, run, await split(db, run)))[0])
  for (let tries = 1; ; ) {
    const step = await next()
    if (!step) return
    if (step.kind === 'note') {
      await again(() => note(db, run, step.migration))
      continue
    }
    try {
      if (await changeIfFree(db, run, next)) {
        tries = 1
        continue
      }
      run.tell(progressOf(run, step, await whereItIs(db, run).catch(() => undefined)))
    } catch (error) {
      const passes = [run.dialect.isTransient, run.dialect.isLost].some(is => is(error))
      if (!passes && !OVERTAKEN.has(errorCode(error))) throw error
      if (tries++ === MOST_TRIES) throw error
    }
    await sleep(Math.random() * LONGEST_PAUSE)
  }
}

/** False where another is at it. */
async function changeIfFree(
  db: Kysely<unknown>,
  run: Run,
  next: () => Promise<Step | undefined>,
): Promise<boolean> {
  if (await isBusy(db, run)) return false
  const giveBack = await takeLease(db, run)
  if (!giveBack) return false
  try {
    // Others may have done it, or begun to, before the lease was had.
    const step = await next()
    if (!step || step.kind === 'note') return true
    if (await isBusy(db, run)) return false
    const seen = async () => {
      const at = await whereItIs(db, run)
      // From now on it is seen by everybody, be this process killed.
      if (at) await giveBack()
      return at
    }
    await watching(run, step, seen, () => change(db, run, step))
    return true
  } finally {
    await giveBack().catch(() => {})
  }
}

async function change(db: Kysely<unknown>, run: Run, step: Change): Promise<void> {
  const table = step.kind === 'build' ? run.named(step.index.table) : step.table
  if (step.kind !== 'rename' && (await isInPartitions(db, run, table))) {
    return changeOverPartitions(db, run, step)
  }
  await db.connection().execute(async connection => {
    await run.checkSession(connection)
    await connection.executeQuery(onlineStatement(connection, run, step))
  })
}

const HERE = sql`(select oid from pg_database where datname = current_database())`

/**
 * True while an index is built anywhere in the database, or one of the tables' indexes is changed: by a process of Tillkit's, by
 * the session of one that was killed, or by the host.
 */
async function isBusy(db: Kysely<unknown>, { schema, named }: Run): Promise<boolean> {
  const { rows } = await sql<{ busy: boolean }>`
    select exists (select from pg_stat_progress_create_index where datid = ${HERE}) or exists (
      select from pg_locks as l join pg_class as c on c.oid = l.relation
      where l.database = ${HERE} and l.mode = 'ShareUpdateExclusiveLock'
        and c.relkind in ('r', 'p') and c.relnamespace = (select oid from pg_namespace where nspname = ${sql.lit(schema)})
        and starts_with(c.relname, ${sql.lit(named(''))})
        and l.pid not in (select pid from pg_stat_progress_vacuum union all select pid from pg_stat_progress_analyze)
    ) as busy`.execute(db)
  return rows[0]?.busy === true
}

/** How far an index of the schema that is being built has come. */
async function whereItIs(db: Kysely<unknown>, { schema }: Run): Promise<Place | undefined> {
  const { rows } = await sql<{ phase: string; done: string; total: string }>`
    select p.phase,
      case when p.lockers_total > 0 and p.phase like 'waiting%' then p.lockers_done
        when p.phase like '%tuples%' then p.tuples_done else p.blocks_done end as done,
      case when p.lockers_total > 0 and p.phase like 'waiting%' then p.lockers_total
        when p.phase like '%tuples%' then p.tuples_total else p.blocks_total end as total
    from pg_stat_progress_create_index as p join pg_class as c on c.oid = p.relid
    where c.relnamespace = (select oid from pg_namespace where nspname = ${sql.lit(schema)})`.execute(db)
  const [at] = rows
  return at && { phase: at.phase, done: Number(at.done), total: Number(at.total) }
}
