import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { OwnServer } from '../process/own-server.ts'
import { type OwnPostgresOptions, postgresServer } from './postgres-server.ts'

const run = promisify(execFile)

/**
 * Starts a PostgreSQL server from the binaries that npm brings, wherever they lie and whoever this process is. Rejects,
 * saying why, where it cannot be started.
 */
export function ownPostgres(options: OwnPostgresOptions = {}): Promise<OwnServer> {
  return postgresServer(options, ({ data, folder, binaries, user }) => {
    const set = ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync']
    return run(binaries.initdb, [`--pgdata=${data}`, ...set], { cwd: folder, ...user })
  })
}
