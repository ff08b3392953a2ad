import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join, resolve } from 'node:path'
import mysql from 'mysql2/promise'
import { freePort } from '../process/free-port.ts'
import type { OwnServer } from '../process/own-server.ts'
import { serverOf } from '../process/server-of.ts'

export interface MysqlServerOptions {
  /** Settings of the server, such as `{ 'max-connections': '10' }`. */
  settings?: Record<string, string>
  /** Settings that it is not made with, and has when it runs. */
  running?: Record<string, string>
  /** Whose processes it is; this process's user when left out. */
  user?: { uid: number; gid: number } | undefined
  /** The folder to make its own folder in, such as a disk that is to be filled: that of temporary files. */
  parent?: string | undefined
}

/** What a new server's data are made with. */
interface Making {
  /** Where the data go. */
  data: string
  /** The folder around that one. */
  folder: string
  user: MysqlServerOptions['user']
  /** Of a command: the user by name, and the settings. */
  words: string[]
}

/** Of MariaDB or MySQL. */
export interface Make {
  name: 'MariaDB' | 'MySQL'
  program: string
  /** Words that its server alone takes. */
  words?: string[]
  make(making: Making): Promise<unknown>
}

/** Starts a server whose data `make` makes. Rejects, saying why, where that cannot be. */
export async function mysqlServer(
  { name, program, words = [], make }: Make,
  { settings = {}, running = {}, user, parent = tmpdir() }: MysqlServerOptions,
): Promise<OwnServer> {
  const folder = await mkdtemp(join(parent, `tillkit-${name.toLowerCase()}-`))
  const [data, port] = [join(folder, 'data'), await freePort()]
  const both = [...(user ? [] : [`--user=${userInfo().username}`]), ...wordsOf(settings)]
  const address = { host: '127.0.0.1', port, user: 'root' }
  try {
    if (user) await chown(folder, user.uid, user.gid)
    await make({ data, folder, user, words: both })
    const server = await serverOf({
      name,
      url: `mysql://root@127.0.0.1:${port}/test`,
      command: [
        ...[program, '--no-defaults', `--datadir=${data}`, `--socket=${join(folder, 'socket')}`],
        `--tmpdir=${folder}`,
        ...[`--port=${port}`, '--bind-address=127.0.0.1', `--pid-file=${join(folder, 'pid')}`],
        ...words,
        ...both,
        ...wordsOf(running),
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
    // Whoever brings it along has it in no log: a server that is to join others may have written nothing of its own.
    const [there] = await connection.query<mysql.RowDataPacket[]>("show databases like 'test'")
    if (there.length === 0) await connection.query('create database test')
    await connection.end()
    return server
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

function wordsOf(settings: Record<string, string>): string[] {
  return Object.entries(settings).map(([name, value]) => `--${name}=${value}`)
}
