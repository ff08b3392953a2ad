import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import mysql from 'mysql2/promise'
import { freePort } from './free-port.ts'
import type { OwnServer } from './own-server.ts'
import { serverOf } from './server-of.ts'

const run = promisify(execFile)

export interface OwnMariadbOptions {
  /** Settings of the server, such as `{ 'innodb-log-file-size': '8M' }`. */
  settings?: Record<string, string>
  /** The folder to make its own folder in, such as a disk that is to be filled: that of temporary files. */
  parent?: string
}

/** Starts a MariaDB server of its own; rejects, saying why, where it cannot be: MariaDB is not installed, say. */
export async function ownMariadb({
  settings = {},
  parent = tmpdir(),
}: OwnMariadbOptions = {}): Promise<OwnServer> {
  const folder = await mkdtemp(join(parent, 'tillkit-mariadb-'))
  const set = Object.entries(settings).map(([name, value]) => `--${name}=${value}`)
  const [data, port] = [join(folder, 'data'), await freePort()]
  const user = `--user=${userInfo().username}`
  const address = { host: '127.0.0.1', port, user: 'root' }
  try {
    const install = [`--datadir=${data}`, '--auth-root-authentication-method=normal', user]
    // A server that starts deletes temporary tables where it makes its own: those of the machine's other servers, in a shared folder.
    const env = { ...process.env, TMPDIR: folder }
    await run('mariadb-install-db', ['--no-defaults', ...install, ...set], { cwd: folder, env })
    const server = await serverOf({
      name: 'MariaDB',
      url: `mysql://root@127.0.0.1:${port}/test`,
      command: [
        ...['mariadbd', '--no-defaults', `--datadir=${data}`, `--socket=${join(folder, 'socket')}`],
        `--tmpdir=${folder}`,
        ...[`--port=${port}`, '--bind-address=127.0.0.1', `--pid-file=${join(folder, 'pid')}`, user],
        ...set,
      ],
      supervision: { folder, signal: 'TERM' },
      async dataFolder() {
        const connection = await mysql.createConnection({ ...address, connectTimeout: 5000 })
        const asked = connection.query<mysql.RowDataPacket[]>({
          sql: 'select @@datadir as folder',
          timeout: 5000,
        })
        const [[row]] = await asked.finally(() => connection.destroy())
        return resolve(row?.folder)
      },
    })
    const connection = await mysql.createConnection(address)
    await connection.query('create database if not exists test')
    await connection.end()
    return server
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}
