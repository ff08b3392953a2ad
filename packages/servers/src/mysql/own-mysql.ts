import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { OwnServer } from '../process/own-server.ts'
import { type MysqlServerOptions, mysqlServer } from './mysql-server.ts'

const run = promisify(execFile)

export interface OwnMysqlOptions extends MysqlServerOptions {
  /** The server's program, `mysqld` of MySQL; where MariaDB is installed that name is often its own. */
  program: string
}

/** Starts a MySQL server of its own; rejects, saying why, where it cannot be. */
export function ownMysql({ program, ...options }: OwnMysqlOptions): Promise<OwnServer> {
  return mysqlServer(
    {
      name: 'MySQL',
      program,
      // Another protocol would listen at the machine's one port for it, and files be read and written in a folder of the machine's.
      words: ['--mysqlx=OFF', '--secure-file-priv=NULL'],
      async make({ data, folder, user, words }) {
        const env = { ...process.env, TMPDIR: folder }
        const first = join(folder, 'first.sql')
        await writeFile(first, 'create database test;\n')
        const install = [
          '--no-defaults',
          '--initialize-insecure',
          `--datadir=${data}`,
          `--init-file=${first}`,
        ]
        await run(program, [...install, ...words], { cwd: folder, env, ...user })
      },
    },
    options,
  )
}
