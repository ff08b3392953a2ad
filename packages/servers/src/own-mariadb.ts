import { execFile } from 'node:child_process'
import { chown, mkdtemp, rm } from 'node:fs/promises'
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
  /** Settings that it is not made with, and has when it runs. */
  running?: Record<string, string>
  /** Whose processes it is; this process's user when left out. */
  user?: { uid: number; gid: number } | undefined
  /** The folder to make its own folder in, such as a disk that is to be filled: that of temporary files. */
  parent?: string
}

/** Starts a MariaDB server of its own; rejects, saying why, where it cannot be: MariaDB is not installed, say. */
export async function ownMariadb({
  settings = {},
  running = {},
  user,
  parent = tmpdir(),
}: OwnMariadbOptions = {}): Promise<OwnServer> {
  const folder = await mkdtemp(join(parent, 'tillkit-mariadb-'))
  const words = (named: Record<string, string>) =>
    Object.entries(named).map(([name, value]) => `--${name}=${value}`)
  const set = words(settings)
  const [data, port] = [join(folder, 'data'), await freePort()]
  const named = user ? [] : [`--user=${userInfo().username}`]
  const address = { host: '127.0.0.1', port, user: 'root' }
  try {
    if (user) await chown(folder, user.uid, user.gid)
    const install = [`--datadir=${data}`, '--auth-root-authentication-method=normal', ...named]
    // A server that starts deletes temporary tables where it makes its own: those of the machine's other servers, in a shared folder.
    const env = { ...process.env, TMPDIR: folder }
    await run('mariadb-install-db', ['--no-defaults', ...install, ...set], { cwd: folder, env, ...user })
    const server = await serverOf({
      name: 'MariaDB',
      url: `mysql://root@127.0.0.1:${port}/test`,
      command: [
        ...['mariadbd', '--no-defaults', `--datadir=${data}`, `--socket=${join(folder, 'socket')}`],
        `--tmpdir=${folder}`,
        ...[`--port=${port}`, '--bind-address=127.0.0.1', `--pid-file=${join(folder, 'pid')}`],
        ...named,
        ...set,
        ...words(running),
      ],
      supervision: { folder, signal: 'TERM', ...user },
      async isThere() {
        const connection = await mysql.createConnection({ ...address, connectTimeout: 5000 })
        const asked = connection.query<mysql.RowDataPacket[]>({
          sql: 'select @@datadir as folder',
          timeout: 5000,
        })
        const [[row]] = await asked.finally(() => connection.destroy())
        return resolve(row?.folder) === data
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
