import { type Finding, findingsOf } from '@tillkit/domain'
import { sql } from 'kysely'
import { SESSIONS } from '../../mysql/sessions/sessions-of-server.ts'
import { longTransaction } from '../long-transaction.ts'
import type { Looking } from '../looking.ts'
import { many } from '../many.ts'

const { ok, problem } = findingsOf('locks')

const MOST = 20

interface Transaction {
  thread: number
  user: string | null
  host: string | null
  seconds: number
  rows: number
  waiting: number
}

/** Who waits for whom, as either server tells. */
const WAITS = {
  MariaDB: sql`select count(*) from information_schema.innodb_lock_waits as w where w.blocking_trx_id = t.trx_id`,
  MySQL: sql`select count(*) from performance_schema.data_lock_waits as w
    where w.blocking_engine_transaction_id = t.trx_id`,
}

/** Transactions that have been open for long, and who waits for them; nothing of their statements. */
export async function mysqlLocks(
  { db, longTransactionSeconds }: Looking,
  engine: 'MariaDB' | 'MySQL',
): Promise<Finding[]> {
  // When it began is told by the clock on the server's wall, whatever the session's time zone is.
  const seconds = sql`timestampdiff(second, t.trx_started, convert_tz(utc_timestamp(), '+00:00', 'SYSTEM'))`
  const { rows } = await sql<Transaction>`
    select t.trx_mysql_thread_id as ${sql.ref('thread')}, p.user as ${sql.ref('user')}, p.host as ${sql.ref('host')},
      ${seconds} as ${sql.ref('seconds')}, t.trx_rows_locked as ${sql.ref('rows')}, (${WAITS[engine]}) as ${sql.ref('waiting')}
    from information_schema.innodb_trx as t
    left join ${SESSIONS} as p on p.id = t.trx_mysql_thread_id
    where t.trx_mysql_thread_id <> connection_id() and ${seconds} >= ${sql.lit(longTransactionSeconds)}
    order by t.trx_started limit ${sql.lit(MOST)}`.execute(db)
  const found = rows.map(({ thread, user, host, seconds, rows, waiting }) =>
    longTransaction({
      who: `thread ${thread}, user ${user} at ${host}`,
      seconds: Number(seconds),
      waiting: Number(waiting),
      holds: Number(rows) > 0 ? many(Number(rows), 'row') : null,
      end: `kill ${thread}`,
    }),
  )
  if (found.length === 0) found.push(ok(`No transaction has been open for ${longTransactionSeconds} s.`))
  const { rows: stuck } = await sql<{ count: number }>`
    select count(*) as count from ${SESSIONS} as p
    where state like 'Waiting for table metadata lock%' and time >= ${sql.lit(longTransactionSeconds)}`.execute(
    db,
  )
  const count = Number(stuck[0]?.count ?? 0)
  if (count > 0) {
    const says = `${many(count, 'session')} ${count === 1 ? 'waits' : 'wait'} for a table that another session holds, a migration perhaps.`
    found.push(problem(says, 'End the transactions that have been open for long, above.'))
  }
  return found
}
