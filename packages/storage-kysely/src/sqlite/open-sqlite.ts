import { type Dialect, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { kyselyConnections } from '../connections/kysely-connections.ts'
import { type DatabaseStorage, databaseStorage } from '../database-storage.ts'
import { dialectOf } from '../dialects/index.ts'
import type { NameOptions } from '../schema/names.ts'
import type { Tables } from '../schema/tables.ts'
import { SqliteDriver } from './sqlite-driver.ts'

/** A file is there or is not; only its lock is waited for, and `lockWaitSeconds` sees to that. */
const NO_LIMITS = {
  lockTimeoutSeconds: Number.POSITIVE_INFINITY,
  readTimeoutSeconds: Number.POSITIVE_INFINITY,
  writeTimeoutSeconds: Number.POSITIVE_INFINITY,
}

/** The storage in that file, which is opened at the first use. */
export function openSqlite(file: string, lockWaitSeconds: number, names: NameOptions): DatabaseStorage {
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
    names,
    limits: NO_LIMITS,
    connections: kyselyConnections(reader, dialect),
    oneConnection: reader === writer,
    close,
  })
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
