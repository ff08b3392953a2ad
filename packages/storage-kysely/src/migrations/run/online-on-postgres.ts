import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { errorCode } from '../../dialects/error-code.ts'
import { isSet } from '../../schema/is-set.ts'
import { runAgain } from '../../session/transactions/run-again.ts'
import { leaves } from '../indexes/mend.ts'
import type { Change, Step } from '../indexes/plan.ts'
import { onlineStatement } from '../indexes/statement-of.ts'
import { type Lease, takeLease } from './lease.ts'
import { changeOverPartitions, isInPartitions } from './over-partitions.ts'
import { note, progressOf, type Run, split, whatIsLeftOnline } from './run.ts'
import { type Place, watching } from './watching.ts'

const LONGEST_PAUSE = 500

/** How often a change is begun that another session, or a limit of time, undoes. */
const MOST_TRIES = 30

/** duplicate_table, said of indexes too, and undefined_object: another process was faster. */
const OVERTAKEN = new Set(['42P07', '42704'])

/**
 * Changes indexes one after the other, one at a time over all processes. Two that are built at once would wait for each other's
 * snapshots, so nobody waits within the database: whoever finds another at it asks again later, and goes on with what is left.
 */
export async function changeOnline(db: Kysely<unknown>, run: Run): Promise<void> {
  for (let tries = 1; ; ) {
    const step = await runAgain(run.dialect, true, () => nextOf(db, run))
    if (!step) return
    try {
      const came = await goOnIfFree(db, run)
      // What an ended build has left is dropped each time, which gets nobody further.
      if (came === 'on') tries = 1
      if (came !== 'nowhere') continue
      if (step.kind !== 'note')
        run.tell(progressOf(run, step, await whereItIs(db, run).catch(() => undefined)))
    } catch (error) {
      if (leaves(run, step, error)) continue
      const passes = [run.dialect.isTransient, run.dialect.isLost].some(is => is(error))
      if (!passes && !OVERTAKEN.has(errorCode(error))) throw error
      if (tries++ === MOST_TRIES) throw error
    }
    await sleep(Math.random() * LONGEST_PAUSE)
  }
}

/** How far a try came: nowhere where another is at it. */
type Came = 'nowhere' | 'on' | 'dropped'

async function nextOf(db: Kysely<unknown>, run: Run): Promise<Step | undefined> {
  return (await whatIsLeftOnline(db, run, await split(db, run)))[0]
}

/**
 * Does what is next, where no other is at it. All of it goes over one connection, which is had before the lease is: that runs
 * out while others are waited for that have all connections.
 */
async function goOnIfFree(db: Kysely<unknown>, run: Run): Promise<Came> {
  return db.connection().execute(async connection => {
    await run.checkSession(connection)
    const lease = await takeLease(connection, run)
    if (!lease) return 'nowhere'
    try {
      return await goOn(db, connection, run, lease)
    } finally {
      // Nobody is to wait until it runs out because the session was ended.
      await lease.giveBack(connection).catch(() => void lease.giveBack(db).catch(() => {}))
    }
  })
}

async function goOn(db: Kysely<unknown>, connection: Kysely<unknown>, run: Run, lease: Lease): Promise<Came> {
  // Asked first: an index that is found half built after it is so for good, and not about to be whole.
  if (await isBusy(connection, run)) return 'nowhere'
  // Others may have done it before the lease was had.
  const step = await nextOf(connection, run)
  if (!step) return 'on'
  if (step.kind === 'note') {
    await note(connection, run, step.migration)
    return 'on'
  }
  // What was found may have taken long to come.
  if (!(await lease.renew(connection))) return 'nowhere'
  const seen = async () => {
    await lease.keep(db)
    return whereItIs(db, run)
  }
  await watching(run, step, seen, () => change(connection, run, step))
  return step.kind === 'drop' ? 'dropped' : 'on'
}

async function change(connection: Kysely<unknown>, run: Run, step: Change): Promise<void> {
  const table = step.kind === 'build' ? run.named(step.index.table) : step.table
  if (step.kind !== 'rename' && (await isInPartitions(connection, run, table))) {
    return changeOverPartitions(connection, run, step)
  }
  await connection.executeQuery(onlineStatement(connection, run, step))
}

const HERE = sql`(select oid from pg_database where datname = current_database())`

/**
 * True while an index is built anywhere in the database, or one of the tables' indexes is changed: by a process of Tillkit's, by
 * the session of one that was killed, or by the host. A coordinator of Citus has neither locks nor progress of what its nodes build,
 * but a session that waits for them.
 */
async function isBusy(db: Kysely<unknown>, { schema, named }: Run): Promise<boolean> {
  const { rows } = await sql<{ busy: unknown }>`
    select (exists (select from pg_stat_progress_create_index where datid = ${HERE}) or exists (
      select from pg_stat_activity where datid = ${HERE} and state = 'active'
        and query ~* '^[[:space:]]*(create|drop) +(unique +)?index +concurrently '
    ) or exists (
      select from pg_locks as l join pg_class as c on c.oid = l.relation
      where l.database = ${HERE} and l.mode = 'ShareUpdateExclusiveLock'
        and c.relkind in ('r', 'p') and c.relnamespace = (select oid from pg_namespace where nspname = ${sql.lit(schema)})
        and starts_with(c.relname, ${sql.lit(named(''))})
        and l.pid not in (select pid from pg_stat_progress_vacuum union all select pid from pg_stat_progress_analyze)
    ))::int as busy`.execute(db)
  return isSet(rows[0]?.busy)
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
