import { type Finding, findingsOf } from '@tillkit/domain'
import { type Kysely, sql } from 'kysely'
import { connectionsLeft } from '../connections-left.ts'
import { type EngineInspection, type Looking, lookAt } from '../looking.ts'
import { mysqlLocks } from './mysql-locks.ts'
import { mysqlTables } from './mysql-tables.ts'
import { mysqlTriggers } from './mysql-triggers.ts'

const SETTINGS = [
  ...['innodb_flush_log_at_trx_commit', 'innodb_doublewrite', 'sync_binlog', 'log_bin', 'read_only'],
  ...['wsrep_on', 'transaction_read_only', 'tx_read_only'],
  ...['transaction_isolation', 'tx_isolation', 'character_set_server', 'collation_server', 'sql_mode'],
  ...['max_connections', 'innodb_lock_wait_timeout', 'wait_timeout', 'time_zone', 'system_time_zone'],
]

/** MariaDB and MySQL: the settings of a session as Tillkit has it. */
export async function inspectMysql(looking: Looking): Promise<EngineInspection> {
  const { db, poolSize } = looking
  const { rows } = await sql<{ version: string }>`select version() as version`.execute(db)
  const version = rows[0]?.version ?? ''
  const engine = /mariadb/i.test(version) ? 'MariaDB' : 'MySQL'
  const settings = await shown(db, 'variables', SETTINGS)
  const { wsrep_ready } = await shown(db, 'global status', ['wsrep_ready'])
  const connections = async () => {
    const { Threads_connected } = await shown(db, 'global status', ['Threads_connected'])
    const allowed = Number(settings.max_connections)
    return connectionsLeft({
      allowed,
      used: Number(Threads_connected),
      pool: poolSize(),
      setting: 'max_connections',
    })
  }
  return {
    engine,
    version,
    settings,
    findings: [
      ...server(engine, version, { ...settings, wsrep_ready }),
      ...durability(settings),
      ...(await lookAt('connections', looking, connections)),
      ...(await lookAt('tables', looking, () => mysqlTables(looking, engine))),
      ...(await lookAt('triggers', looking, () => mysqlTriggers(looking))),
      ...(await lookAt('locks', looking, () => mysqlLocks(looking, engine))),
    ],
  }
}

async function shown(db: Kysely<unknown>, what: string, names: string[]): Promise<Record<string, string>> {
  const listed = sql.join(names.map(name => sql.lit(name)))
  const { rows } = await sql<Record<string, string>>`
    show ${sql.raw(what)} where Variable_name in (${listed})`.execute(db)
  return Object.fromEntries(rows.map(({ Variable_name = '', Value = '' }) => [Variable_name, Value]))
}

const OLDEST = { MariaDB: [10, 6], MySQL: [8, 0] } as const

function server(
  engine: 'MariaDB' | 'MySQL',
  version: string,
  { read_only, wsrep_on, wsrep_ready, ...settings }: Record<string, string | undefined>,
): Finding[] {
  const { ok, problem } = findingsOf('server')
  // A server that is no node may know the word, and is never ready.
  if (isOn(wsrep_on) && !isOn(wsrep_ready)) {
    const says = 'This node of a cluster takes no statements: it is cut off, or is catching up.'
    return [problem(says, 'Look at what wsrep_cluster_status and wsrep_local_state_comment say there.')]
  }
  if (isOn(read_only)) {
    return [problem('The server is read-only, and takes no writes.', 'Name the server that takes writes.')]
  }
  // Until 11.1 MariaDB knows it by the second name alone.
  if (isOn(settings.transaction_read_only ?? settings.tx_read_only)) {
    const says = 'The sessions of this server are read-only, and take no writes.'
    return [problem(says, 'See who has set transaction_read_only = 1, and why.')]
  }
  const [major = 0, minor = 0] = (version.match(/\d+/g) ?? []).map(Number)
  const [oldest, least] = OLDEST[engine]
  if (major > oldest || (major === oldest && minor >= least))
    return [ok(`${engine} ${version} takes writes.`)]
  const says = `${engine} ${version} is older than ${oldest}.${least}, the oldest that is supported.`
  return [problem(says, 'Upgrade it.')]
}

function durability(settings: Record<string, string>): Finding[] {
  const { ok, warning, problem } = findingsOf('durability')
  const { innodb_flush_log_at_trx_commit: flush, innodb_doublewrite, sync_binlog, log_bin } = settings
  const found: Finding[] = []
  if (flush !== '1' && flush !== '3') {
    const says = `innodb_flush_log_at_trx_commit is ${flush}: a power cut takes back payments that were acknowledged.`
    found.push(problem(says, 'Set innodb_flush_log_at_trx_commit = 1.'))
  }
  if (innodb_doublewrite !== undefined && /^(off|0|detect_only)/i.test(innodb_doublewrite)) {
    const says = 'innodb_doublewrite is off: a power cut may leave pages that are half written.'
    found.push(
      problem(says, 'Set innodb_doublewrite = ON, unless the file system writes whole pages at once.'),
    )
  }
  if (isOn(log_bin) && sync_binlog !== '1') {
    const says = `sync_binlog is ${sync_binlog}: after a power cut replicas and backups may have other payments than this server.`
    found.push(warning(says, 'Set sync_binlog = 1.'))
  }
  if (found.length > 0) return found
  return [ok(`What is acknowledged is on the disk: innodb_flush_log_at_trx_commit is ${flush}.`)]
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && /^(on|1)$/i.test(value)
}
