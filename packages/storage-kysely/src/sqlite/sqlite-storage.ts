import { type Dialect, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { type DatabaseStorage, databaseStorage } from '../database-storage.ts'
import { dialectOf } from '../dialects/index.ts'
import type { KyselyStorageOptions } from '../kysely-storage.ts'
import { assertKnown } from '../schema/names.ts'
import type { Tables } from '../schema/tables.ts'
import { kyselyConnections } from '../session/connections.ts'
import { SqliteDriver } from './sqlite-driver.ts'

export interface SqliteConnection {
  /** The file, made when it is not there; its directory must be. `:memory:` keeps everything in memory. */
  file: string
  /** How long a write waits for another process to end its own, in seconds: 10. */
  lockWaitSeconds?: number
}

export type SqliteStorage = DatabaseStorage

/**
 * A storage in an SQLite file, through better-sqlite3. Any number of processes of one machine may share the file. It is
 * opened at the first use. Writes have a connection of their own, so that reads never wait for them.
 */
export function sqliteStorage(
  connection: SqliteConnection,
  options: Omit<KyselyStorageOptions, 'schema'> = {},
): SqliteStorage {
  assertKnown(connection, 'file', 'lockWaitSeconds')
  const { file, lockWaitSeconds = 10 } = connection
  if (typeof file !== 'string' || file === '') throw new TypeError('file must be the path of an SQLite file')
  if (!(lockWaitSeconds >= 0)) throw new TypeError('lockWaitSeconds must be a number of seconds, 0 or more')
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
  return databaseStorage(writer, dialectOf('sqlite'), options, close, kyselyConnections(reader))
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
