import { execFile } from 'node:child_process'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort } from './free-port.ts'
import type { OwnServer } from './own-server.ts'
import { postgresBinaries } from './postgres-binaries.ts'
import { serverOf } from './server-of.ts'

const run = promisify(execFile)

export interface OwnPostgresOptions {
  /** Settings of the server, such as `{ wal_level: 'minimal' }`. */
  settings?: Record<string, string>
  /** The folder to make its own folder in, such as a disk that is to be filled: that of temporary files. */
  parent?: string
}

/** PostgreSQL refuses to be root's: run by root, a server is this user's, whom every system has. */
const NOBODY = { uid: 65_534, gid: 65_534 }

/**
 * Starts a PostgreSQL server from the binaries that npm brings, wherever they lie and whoever this process is. Rejects,
 * saying why, where it cannot be started.
 */
export async function ownPostgres({
  settings = {},
  parent = tmpdir(),
}: OwnPostgresOptions = {}): Promise<OwnServer> {
  const folder = await mkdtemp(join(parent, 'tillkit-postgres-'))
  const [data, port] = [join(folder, 'data'), await freePort()]
  const connectionString = `postgres://postgres@127.0.0.1:${port}/postgres`
  const user = process.getuid?.() === 0 ? NOBODY : undefined
  try {
    if (user) await chown(folder, user.uid, user.gid)
    const { initdb, postgres } = await postgresBinaries(folder, user)
    const set = ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync']
    await run(initdb, [`--pgdata=${data}`, ...set], { cwd: folder, ...user })
    return await serverOf({
      name: 'PostgreSQL',
      url: connectionString,
      command: [
        ...[postgres, '-D', data, '-p', String(port)],
        ...['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
        ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      supervision: { folder, signal: 'INT', ...user },
      async dataFolder() {
        const limits = { connectionTimeoutMillis: 5000, query_timeout: 5000 }
        const client = new pg.Client({ connectionString, ...limits })
        client.on('error', () => {})
        await client.connect()
        const { rows } = await client.query('show data_directory').finally(() => client.end())
        return rows[0].data_directory
      },
    })
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}
