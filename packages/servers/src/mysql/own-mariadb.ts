import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { OwnServer } from '../process/own-server.ts'
import { type MysqlServerOptions, mysqlServer } from './mysql-server.ts'

const run = promisify(execFile)

/** Starts a MariaDB server of its own; rejects, saying why, where it cannot be: MariaDB is not installed, say. */
export function ownMariadb(options: MysqlServerOptions = {}): Promise<OwnServer> {
  return mysqlServer(
    {
      name: 'MariaDB',
      program: 'mariadbd',
      async make({ data, folder, user, words }) {
        // A server that starts deletes temporary tables where it makes its own: those of the machine's other servers, in a shared folder.
        const env = { ...process.env, TMPDIR: folder }
        const install = ['--no-defaults', `--datadir=${data}`, '--auth-root-authentication-method=normal']
        await run('mariadb-install-db', [...install, ...words], { cwd: folder, env, ...user })
      },
    },
    options,
  )
}
