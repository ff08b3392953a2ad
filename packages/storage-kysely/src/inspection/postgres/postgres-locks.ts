import { type Finding, findingsOf } from '@tillkit/domain'
import { type Kysely, sql } from 'kysely'
import type { Whole } from '../../schema/rows/payment-row.ts'
import { longTransaction } from '../long-transaction.ts'
import type { Looking } from '../looking.ts'
import { many } from '../many.ts'

const { ok, note, warning } = findingsOf('locks')

const MOST = 20

interface Session {
  pid: Whole
  role: string | null
  application: string | null
  state: string | null
  seconds: Whole
  waiting: Whole
  holds: string | null
}

/** Transactions that have been open for long, and who waits for them; nothing of their statements. */
export async function postgresLocks(looking: Looking): Promise<Finding[]> {
  const { db, longTransactionSeconds } = looking
  const { rows } = await sessions(looking)
  const found = rows.map(session =>
    longTransaction({
      seconds: Number(session.seconds),
      waiting: Number(session.waiting),
      holds: session.holds,
      who: whoIs(session),
      end: `select pg_terminate_backend(${session.pid})`,
    }),
  )
  if (found.length === 0) found.push(ok(`No transaction has been open for ${longTransactionSeconds} s.`))
  return [...found, ...(await hidden(db)), ...(await prepared(db, longTransactionSeconds))]
}

function sessions({ db, tablePrefix, longTransactionSeconds }: Looking) {
  return sql<Session>`
    with waiting as (select pg_blocking_pids(pid) as by from pg_stat_activity where wait_event_type = 'Lock')
    select a.pid, a.usename as role, nullif(a.application_name, '') as application, a.state,
      floor(extract(epoch from clock_timestamp() - a.xact_start))::int as seconds,
      (select count(*)::int from waiting where a.pid = any(waiting.by)) as waiting,
      (select string_agg(distinct c.relname, ', ') from pg_locks as l join pg_class as c on c.oid = l.relation
        where l.pid = a.pid and l.granted and c.relkind in ('r', 'p')
          and left(c.relname, ${sql.lit(tablePrefix.length)}) = ${sql.lit(tablePrefix)}) as holds
    from pg_stat_activity as a
    where a.datname = current_database() and a.pid <> pg_backend_pid() and a.backend_type = 'client backend'
      and a.xact_start <= clock_timestamp() - make_interval(secs => ${sql.lit(longTransactionSeconds)})
    order by a.xact_start limit ${sql.lit(MOST)}`.execute(db)
}

function whoIs({ pid, role, application, state }: Session): string {
  const named = application === null ? '' : ` of ${JSON.stringify(application)}`
  return `session ${pid}${named}, role ${role}, ${state}`
}

/** Of other roles' sessions a role sees no more than that they are there. */
async function hidden(db: Kysely<unknown>): Promise<Finding[]> {
  const { rows } = await sql<{ count: Whole }>`select count(*)::int as count from pg_stat_activity
    where datname = current_database() and query = '<insufficient privilege>'`.execute(db)
  const count = Number(rows[0]?.count ?? 0)
  if (count === 0) return []
  const says = `Of ${many(count, 'session')} of other roles this role may not see what they are at.`
  return [note(says, 'Look again as a role with the rights of pg_read_all_stats.')]
}

/** What a coordinator that died has left, which holds its locks for ever. */
async function prepared(db: Kysely<unknown>, seconds: number): Promise<Finding[]> {
  const { rows } = await sql<{ count: Whole }>`select count(*)::int as count from pg_prepared_xacts
    where database = current_database()
      and prepared <= clock_timestamp() - make_interval(secs => ${sql.lit(seconds)})`.execute(db)
  const count = Number(rows[0]?.count ?? 0)
  if (count === 0) return []
  const says = `${many(count, 'transaction')} prepared for a commit in two phases still hold locks after ${seconds} s.`
  return [warning(says, 'Commit or roll them back by their names in pg_prepared_xacts.')]
}
