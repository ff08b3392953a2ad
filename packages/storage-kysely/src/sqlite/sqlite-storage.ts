import { type Dialect, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { kyselyConnections } from '../connections/kysely-connections.ts'
import { type DatabaseStorage, databaseStorage } from '../database-storage.ts'
import { dialectOf } from '../dialects/index.ts'
import { assertOptions, kindOf, refuse } from '../schema/invalid-input.ts'
import type { NameOptions } from '../schema/names.ts'
import type { Tables } from '../schema/tables.ts'
import { assertNode } from './node-version.ts'
import { SqliteDriver } from './sqlite-driver.ts'

/** Which file, and how long its lock is waited for. */
export interface SqliteConnection {
  /** The file, made when it is not there; its directory must be. `:memory:` keeps everything in memory. */
  file: string
  /** How long a write waits for another process to end its own, in seconds: 10. */
  lockWaitSeconds?: number
}

/** The storage, what migrates it, and what closes it. */
export type SqliteStorage = DatabaseStorage

/** A file is there or is not; only its lock is waited for, and `lockWaitSeconds` sees to that. */
const NO_LIMITS = {
  lockTimeoutSeconds: Number.POSITIVE_INFINITY,
  readTimeoutSeconds: Number.POSITIVE_INFINITY,
  writeTimeoutSeconds: Number.POSITIVE_INFINITY,
}

/**
 * A storage in an SQLite file, through better-sqlite3. Any number of processes of one machine may share the file. It is
 * opened at the first use. Writes have a connection of their own, so that reads never wait for them. Throws
 * `TillError` (`invalid_input`) for options that are wrong.
 */
export function sqliteStorage(
  connection: SqliteConnection,
  options: Omit<NameOptions, 'schema'> = {},
): SqliteStorage {
  assertOptions(connection, 'sqliteStorage', ['file', 'lockWaitSeconds'])
  const { file, lockWaitSeconds = 10 } = connection
  assertFile(file)
  if (typeof lockWaitSeconds !== 'number' || !(lockWaitSeconds >= 0)) {
    refuse('lockWaitSeconds must be a number of seconds, 0 or more')
  }
  assertNode()
  const lockWait = lockWaitSeconds * 1000

  const writer = new Kysely<Tables>({
    dialect: sqliteDialect(() => new SqliteDriver(file, lockWait), WriterAdapter),
  })
  // Only the connection that made a database in memory can see it.
  const reader =
    file === ':memory:'
      ? writer
      : new Kysely<Tables>({ dialect: sqliteDialect(() => new SqliteDriver(file, lockWait), ReaderAdapter) })

  const close = async () => {
    await reader.destroy()
    await writer.destroy()
  }
  const dialect = dialectOf('sqlite')
  return databaseStorage({
    db: writer,
    dialect,
    names: options,
    limits: NO_LIMITS,
    connections: kyselyConnections(reader, dialect),
    oneConnection: reader === writer,
    close,
  })
}

function assertFile(file: unknown): void {
  const wanted = 'file must be the path of an SQLite file'
  if (typeof file !== 'string') refuse(`${wanted}, not ${kindOf(file)}`)
  if (file === '' || file.includes('\0')) refuse(wanted)
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(file)) refuse(`${wanted}, not a URL`)
}

function sqliteDialect(createDriver: () => SqliteDriver, Adapter: typeof SqliteAdapter): Dialect {
  return {
    createDriver,
    createAdapter: () => new Adapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: db => new SqliteIntrospector(db),
  }
}

/** One transaction at a time has the connection; a migration is one transaction, so that racing ones take turns. */
class WriterAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl() {
    return true
  }
}

/** Nothing on this connection spans more than one statement, so that no statement waits for another. */
class ReaderAdapter extends SqliteAdapter {
  override get supportsMultipleConnections() {
    return true
  }
}
