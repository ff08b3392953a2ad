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
    transact: (_, work) => driver.transact(work),
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

function sqliteDialect(createDriver: () => SqliteDriver): Dialect {
  return {
    createDriver,
    createAdapter: () => new SqliteAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: db => new SqliteIntrospector(db),
  }
}
