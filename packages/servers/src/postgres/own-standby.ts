import { execFile } from 'node:child_process'
import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { OwnServer } from '../process/own-server.ts'
import { until } from '../process/until.ts'
import { askPostgres, type OwnPostgresOptions, postgresServer } from './postgres-server.ts'

const run = promisify(execFile)

/** A PostgreSQL server that follows another one, and may be read meanwhile. */
export interface OwnStandby extends OwnServer {
  /** Has it take over, and resolves when it takes writes. */
  promote(): Promise<void>
}

/** A new server follows by this name. */
const NAME = 'tillkit_standby'

/**
 * Starts a standby of an `ownPostgres`, which is stopped for as long as it is copied.
 *
 * @param synchronous - whether from now on a commit of the other waits until this one has it on its disk.
 */
export async function ownStandby(
  primary: OwnServer,
  synchronous: boolean,
  { settings = {}, ...options }: OwnPostgresOptions = {},
): Promise<OwnStandby> {
  const from = `${await askPostgres(primary.url, 'show data_directory')}`
  const { hostname, port, username } = new URL(primary.url)
  const follow = `host=${hostname} port=${port} user=${username} application_name=${NAME}`
  const standby = await postgresServer(
    { ...options, settings: { ...settings, primary_conninfo: follow } },
    async ({ data, user }) => {
      await primary.stop()
      await cp(from, data, { recursive: true }).finally(() => primary.start())
      await writeFile(join(data, 'standby.signal'), '')
      if (user) await run('chown', ['-R', `${user.uid}:${user.gid}`, data])
      await run('chmod', ['700', data])
    },
  )
  const streams = `select count(*)::int from pg_stat_replication where state = 'streaming'`
  await until(async () => (await askPostgres(primary.url, streams)) === 1)
  if (synchronous) {
    await askPostgres(primary.url, `alter system set synchronous_standby_names = '${NAME}'`)
    await askPostgres(primary.url, 'select pg_reload_conf()')
    const waits = `select count(*)::int from pg_stat_replication where sync_state = 'sync'`
    await until(async () => (await askPostgres(primary.url, waits)) === 1)
  }
  return {
    ...standby,
    async promote() {
      await askPostgres(standby.url, 'select pg_promote(wait => false)')
      await until(async () => (await askPostgres(standby.url, 'select pg_is_in_recovery()')) === false)
    },
  }
}
