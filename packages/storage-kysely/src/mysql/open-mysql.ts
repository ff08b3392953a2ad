import { Kysely, MysqlDialect } from 'kysely'
import { pooledConnections } from '../connections/pooled-connections.ts'
import type { TimeLimits } from '../connections/time-limits.ts'
import { type DatabaseStorage, databaseStorage } from '../database-storage.ts'
import { type Dialect, dialectOf } from '../dialects/index.ts'
import { migrateOwn } from '../migrations/migrate.ts'
import type { NameOptions } from '../schema/names.ts'
import type { Tables } from '../schema/tables.ts'
import { kyselyPool } from './kysely-pool.ts'
import { MysqlConnections } from './mysql-connections.ts'
import type { MysqlPool } from './mysql-pool.ts'
import { ownPool } from './own-pool.ts'
import { checkPreparingSession } from './session-check.ts'
import { migrationSession, ownSession } from './session-settings.ts'

/** The storage over the host's pool, or over one of its own at that address. */
export function openMysql(
  given: MysqlPool | string,
  names: NameOptions,
  limits: Required<TimeLimits>,
  idleSeconds: number,
): DatabaseStorage {
  if (typeof given !== 'string') {
    const dialect = preparing()
    const connections = new MysqlConnections(
      async () => given,
      dialect,
      session => checkPreparingSession(session.execute),
    )
    return databaseStorage({
      db: kyselyOver(connections, limits.writeTimeoutSeconds),
      dialect,
      names,
      limits,
      connections: pooledConnections(connections, dialect),
      migrate: () => migrateOwn(kyselyOver(connections, Number.POSITIVE_INFINITY), 'mysql', names),
      close: async () => {},
    })
  }

  // Its connections are at READ COMMITTED already: it need not be said before each transaction.
  const dialect = { ...preparing(), isolation: null }
  const own = ownPool(given, limits)
  const connections = new MysqlConnections(own.open, dialect, ownSession(limits, idleSeconds))
  const db = kyselyOver(connections, limits.writeTimeoutSeconds)
  return databaseStorage({
    db,
    dialect,
    names,
    limits,
    connections: pooledConnections(connections, dialect),
    async migrate() {
      const apart = ownPool(given, limits)
      const patient = new MysqlConnections(apart.open, dialect, migrationSession)
      const work = migrateOwn(kyselyOver(patient, Number.POSITIVE_INFINITY), 'mysql', names)
      await work.finally(() => apart.close())
    },
    async close() {
      await db.destroy()
      await own.close()
    },
  })
}

/** The dialect over connections that are checked as they are made and that send values apart from statements. */
function preparing(): Dialect {
  const { bind: _, sessionCheck: __, ...dialect } = dialectOf('mysql')
  return dialect
}

function kyselyOver(connections: MysqlConnections, seconds: number): Kysely<Tables> {
  return new Kysely({ dialect: new MysqlDialect({ pool: kyselyPool(connections, seconds) }) })
}
