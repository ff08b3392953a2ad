import { type Finding, findingsOf } from '@tillkit/domain'
import { type Kysely, sql } from 'kysely'
import { isSet } from '../../schema/is-set.ts'
import type { Whole } from '../../schema/rows/payment-row.ts'
import type { Flag } from '../../schema/tables.ts'
import { type EngineInspection, type Looking, lookAt } from '../looking.ts'
import { postgresConnections } from './postgres-connections.ts'
import { postgresLocks } from './postgres-locks.ts'
import { postgresStandbys } from './postgres-standbys.ts'
import { postgresTables } from './postgres-tables.ts'

const SETTINGS = [
  ...['fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums', 'wal_level'],
  ...['synchronous_standby_names'],
  ...['default_transaction_isolation', 'default_transaction_read_only', 'server_encoding', 'TimeZone'],
  ...['max_connections', 'superuser_reserved_connections', 'max_prepared_transactions'],
  ...['autovacuum', 'statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'],
]

/** PostgreSQL: the settings of a session as Tillkit has it. */
export async function inspectPostgres(looking: Looking): Promise<EngineInspection> {
  const { db } = looking
  const { rows } = await sql<{ version: string; number: Whole; follows: Flag }>`
    select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
      pg_is_in_recovery() as follows`.execute(db)
  const { version = '', number = 0, follows } = rows[0] ?? {}
  const settings = await settingsOf(db)
  return {
    engine: 'PostgreSQL',
    version,
    settings,
    findings: [
      ...server(version, Number(number), isSet(follows), settings),
      ...durability(settings),
      ...encoding(settings),
      ...(await lookAt('standbys', looking, () => postgresStandbys(looking, settings))),
      ...(await lookAt('connections', looking, () => postgresConnections(looking, settings))),
      ...(await lookAt('tables', looking, () => postgresTables(looking))),
      ...(await lookAt('locks', looking, () => postgresLocks(looking))),
    ],
  }
}

async function settingsOf(db: Kysely<unknown>): Promise<Record<string, string>> {
  const { rows } = await sql<{ name: string; value: string }>`
    select name, setting || case when unit is not null and setting not in ('0', '-1') then unit else '' end as value
    from pg_settings where name in (${sql.join(SETTINGS)}) order by name`.execute(db)
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}

function server(
  version: string,
  number: number,
  follows: boolean,
  { default_transaction_read_only }: Record<string, string>,
): Finding[] {
  const { ok, problem } = findingsOf('server')
  if (follows) {
    const advice = 'Name the server that it follows, or both with target_session_attrs=read-write.'
    return [problem('The server is a standby, and takes no writes.', advice)]
  }
  if (default_transaction_read_only === 'on') {
    const says = 'The sessions of this database or role are read-only, and take no writes.'
    return [problem(says, 'See who has set default_transaction_read_only = on, and why.')]
  }
  if (number >= 140_000) return [ok(`PostgreSQL ${version} takes writes.`)]
  return [problem(`PostgreSQL ${version} is older than 14, the oldest that is supported.`, 'Upgrade it.')]
}

function durability({ fsync, synchronous_commit, full_page_writes, autovacuum }: Record<string, string>) {
  const { ok, warning, problem } = findingsOf('durability')
  const found: Finding[] = []
  if (fsync === 'off') {
    const says =
      'fsync is off: a power cut takes back payments that were acknowledged, or all of the database.'
    found.push(problem(says, 'Set fsync = on in postgresql.conf and reload it.'))
  }
  if (synchronous_commit === 'off') {
    const says =
      'synchronous_commit is off: a crash of the server takes back payments that were acknowledged.'
    found.push(
      problem(
        says,
        'Set synchronous_commit = on for the server, or for the role or the database it is off for.',
      ),
    )
  }
  if (full_page_writes === 'off') {
    const says = 'full_page_writes is off: a power cut may leave pages that are half written.'
    found.push(problem(says, 'Set full_page_writes = on, unless the file system writes whole pages at once.'))
  }
  if (found.length === 0) {
    found.push(
      ok(`What is acknowledged is on the disk: fsync is on, synchronous_commit is ${synchronous_commit}.`),
    )
  }
  if (autovacuum === 'off') {
    const says =
      'autovacuum is off: tables grow with every change, and plans are made for the tables of long ago.'
    found.push(warning(says, 'Set autovacuum = on.'))
  }
  return found
}

function encoding({ server_encoding = '' }: Record<string, string>): Finding[] {
  const { ok, problem } = findingsOf('encoding')
  if (server_encoding === 'UTF8') return [ok('Text is kept in UTF8.')]
  const says = `Text is kept in ${server_encoding}, which does not have all characters that merchants may send.`
  return [problem(says, 'Make a database with encoding UTF8 and restore a dump into it.')]
}
