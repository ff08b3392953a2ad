import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { freePort } from '../process/free-port.ts'
import { NOBODY } from '../process/nobody.ts'
import type { OwnServer } from '../process/own-server.ts'
import { serverOf } from '../process/server-of.ts'

export interface OwnPgbouncerOptions {
  /** The server that it stands before. */
  url: string
  /** Its settings, such as `{ default_pool_size: '3' }`. */
  settings?: Record<string, string>
}

/** Starts a PgBouncer in transaction mode before a PostgreSQL server; rejects, saying why, where it cannot be started. */
export async function ownPgbouncer({ url, settings = {} }: OwnPgbouncerOptions): Promise<OwnServer> {
  const folder = await mkdtemp(join(tmpdir(), 'tillkit-pgbouncer-'))
  const port = await freePort()
  const { hostname, port: target, username, password, pathname } = new URL(url)
  const secret = password === '' ? '' : ` password='${decodeURIComponent(password)}'`
  const own = {
    ...{ listen_addr: '127.0.0.1', listen_port: String(port), unix_socket_dir: '', pool_mode: 'transaction' },
    ...{ auth_type: 'any', admin_users: 'tillkit' },
    ...settings,
  }
  const file = join(folder, 'pgbouncer.ini')
  const text = [
    '[databases]',
    `* = host=${hostname} port=${target || '5432'} user='${decodeURIComponent(username)}'${secret}`,
    '[pgbouncer]',
    ...Object.entries(own).map(([name, value]) => `${name} = ${value}`),
  ].join('\n')
  const user = process.getuid?.() === 0 ? NOBODY : undefined
  try {
    await writeFile(file, `${text}\n`, { mode: 0o600 })
    if (user) for (const path of [folder, file]) await chown(path, user.uid, user.gid)
    return await serverOf({
      name: 'PgBouncer',
      url: `postgres://tillkit@127.0.0.1:${port}${pathname}`,
      command: ['pgbouncer', file],
      supervision: { folder, signal: 'TERM', ...user },
      async isThere() {
        const client = new pg.Client({
          connectionString: `postgres://tillkit@127.0.0.1:${port}/pgbouncer`,
          ...{ connectionTimeoutMillis: 5000, query_timeout: 5000 },
        })
        client.on('error', () => {})
        await client.connect()
        const { rows } = await client.query('show config').finally(() => client.end())
        return rows.some(({ key, value }) => key === 'conffile' && value === file)
      },
    })
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}
