import { idleSecondsOf } from '../../connections/limits/session-limits.ts'
import { lockWaitOf, type TimeLimits } from '../../connections/limits/time-limits.ts'
import type { MysqlSession } from '../pools/mysql-connections.ts'

/** What each session of a pool of Tillkit's own begins with, whatever the server's defaults and `init_connect` say. */
const MEANING = {
  sql_mode: `'STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'`,
  character_set_client: 'utf8mb4',
  character_set_connection: 'utf8mb4',
  character_set_results: 'utf8mb4',
  autocommit: '1',
  completion_type: `'NO_CHAIN'`,
  time_zone: `'+00:00'`,
  unique_checks: '1',
  foreign_key_checks: '1',
  sql_safe_updates: '0',
  sql_big_selects: '1',
  sql_select_limit: '18446744073709551615',
}

/**
 * How far a planner looks at what a statement names, as the servers have it by themselves: with less it goes by averages, and reads all of
 * a merchant who has more. A server that is set for other programs may say otherwise.
 */
const PLANNING = { eq_range_index_dive_limit: '200' }
const PLANNING_OF_MYSQL = 'range_optimizer_max_mem_size = 8388608'
const PLANNING_OF_MARIADB =
  'optimizer_max_sel_arg_weight = 32000, join_cache_level = 2, use_stat_tables = never'

/**
 * How texts are put in order: to their last character, so that no page misses a row (a reference may have 1020 bytes), and with the memory
 * that it takes; whoever has more keeps it. MySQL takes the greater of two for no whole number unless it is told.
 */
const SORTING = {
  max_sort_length: '1024',
  sort_buffer_size: 'cast(greatest(@@session.sort_buffer_size, 262144) as unsigned)',
}

/** What a connection begins with. */
export function ownSession(limits: Required<TimeLimits>, idleSeconds: number) {
  return sessionOf(lockWaitOf(limits) / 1000, idleSeconds)
}

type Session = Pick<MysqlSession, 'query'>

/**
 * The same where a statement may take its time: another process may be migrating, or an index be large. Between two of them a
 * transaction rests no longer than any.
 */
const migrationSession = sessionOf(3600, idleSecondsOf({}))

function sessionOf(lockWait: number, idleSeconds: number): (session: Session) => Promise<void> {
  const seconds = `${Math.ceil(lockWait)}`
  // Of rows, and of tables that another session has as a whole.
  const settings = {
    ...MEANING,
    ...PLANNING,
    ...SORTING,
    innodb_lock_wait_timeout: seconds,
    lock_wait_timeout: seconds,
  }
  const list = Object.entries(settings).map(([name, value]) => `${name} = ${value}`)
  // MariaDB alone knows how to end a session that lies idle in a transaction, and keeps statistics besides the engine's, by which it reads
  // whole a table that was empty when they were made. MySQL ends one that lies idle anywhere. Each reads but one of the comments.
  const idle = Math.ceil(idleSeconds)
  const ofMariadb = `/*M!100300 , idle_transaction_timeout = ${idle}, ${PLANNING_OF_MARIADB} */`
  const ofMysql = `/*!80000 , wait_timeout = ${idle}, ${PLANNING_OF_MYSQL} */`
  const statement = `set session ${list.join(', ')} ${ofMariadb} ${ofMysql}`
  return async session => {
    await session.query('set session transaction isolation level read committed')
    await session.query(statement)
  }
}

/**
 * What one that migrates is told besides. The limit of an account would end each build anew; each server reads but one of the two. And a
 * MariaDB that is set to copy whatever it alters would write a table anew for a column: versions that do not have that setting any more,
 * and MySQL, are not told.
 */
export async function prepareToMigrate(session: Session): Promise<void> {
  await migrationSession(session)
  await session.query('set session /*M!100300 max_statement_time = 0 */ /*!80000 max_execution_time = 0 */')
  const known = (await session.query(`show variables like 'alter_algorithm'`)) as unknown[]
  if (known.length > 0) await session.query(`set session alter_algorithm = 'DEFAULT'`)
}
