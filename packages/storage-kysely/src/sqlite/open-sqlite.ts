import { type Dialect, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import type { Connections } from '../connections/connections.ts'
import { kyselyConnections } from '../connections/kysely-connections.ts'
import { type DatabaseStorage, databaseStorage } from '../database-storage.ts'
import { dialectOf } from '../dialects/index.ts'
import type { NameOptions } from '../schema/names.ts'
import type { Tables } from '../schema/tables.ts'
import { SqliteDriver } from './sqlite-driver.ts'
import { SqliteReads } from './sqlite-reads.ts'

/** A file is there or is not; only its lock is waited for, and `lockWaitSeconds` sees to that. */
const NO_LIMITS = {
  lockTimeoutSeconds: Number.POSITIVE_INFINITY,
  readTimeoutSeconds: Number.POSITIVE_INFINITY,
  writeTimeoutSeconds: Number.POSITIVE_INFINITY,
}

/** The storage in that file, which is opened at the first use. */
export function openSqlite(file: string, lockWaitSeconds: number, names: NameOptions): DatabaseStorage {
  const lockWait = lockWaitSeconds * 1000

  const driver = new SqliteDriver(file, lockWait)
  const writer = new Kysely<Tables>({ dialect: sqliteDialect(() => driver) })
  // Only the connection that made a database in memory can see it.
  const reads = file === ':memory:' ? undefined : new SqliteReads(file, lockWait)
  const close = async () => {
    await reads?.close()
    await writer.destroy()
    // Kysely closes only what it has opened, and would open what it has not.
    await driver.destroy()
  }
  const dialect = dialectOf('sqlite')
  const connections: Connections = {
    ...kyselyConnections(writer, dialect),
    transact: (_, work, { since } = {}) => driver.transact(work, since),
  }
  return databaseStorage({
    db: writer,
    dialect,
    names,
    limits: NO_LIMITS,
    connections: reads ? { ...connections, hold: reads.hold, holdTogether: reads.holdTogether } : connections,
    oneConnection: reads === undefined,
    close,
  })
}

/** The driver sees to it that one at a time has its connection, so that it knows for how long each has waited. */
class Adapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

function sqliteDialect(createDriver: () => SqliteDriver): Dialect {
  return {
    createDriver,
    createAdapter: () => new Adapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: db => new SqliteIntrospector(db),
  }
}
