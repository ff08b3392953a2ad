import { Kysely, MysqlDialect } from 'kysely'
import { pooledConnections } from '../connections/pooled-connections.ts'
import { idleSecondsOf, type SessionLimits } from '../connections/session-limits.ts'
import { TIME_LIMITS, type TimeLimits, timeLimitsOf } from '../connections/time-limits.ts'
import { type DatabaseStorage, databaseStorage } from '../database-storage.ts'
import { type Dialect, dialectOf } from '../dialects/index.ts'
import { migrateOwn } from '../migrations/migrate.ts'
import { assertOptions, kindOf, refuse } from '../schema/invalid-input.ts'
import { type NameOptions, namesOf } from '../schema/names.ts'
import type { Tables } from '../schema/tables.ts'
import { kyselyPool } from './kysely-pool.ts'
import { MysqlConnections } from './mysql-connections.ts'
import type { MysqlPool } from './mysql-pool.ts'
import { addressOf, ownPool } from './own-pool.ts'
import { checkPreparingSession } from './session-check.ts'
import { migrationSession, ownSession } from './session-settings.ts'

/** Which database, and how long it is waited for. */
export interface MysqlConnection extends TimeLimits, SessionLimits {
  /** `mysql://user:password@host:3306/database`. A pool of ten connections is made at the first use. */
  uri?: string
  /** In its place, a pool of mysql2 3 (`createPool` of `mysql2`, not of `mysql2/promise`) that the host made and ends. */
  pool?: MysqlPool
}

/** The storage, what migrates it, and what closes it. */
export type MysqlStorage = DatabaseStorage

/**
 * A storage in MariaDB 10.6 or later or MySQL 8, through mysql2. Any number of processes may share the database. Throws
 * `TillError` (`invalid_input`) for options that are wrong; the database is first spoken to at the first use.
 */
export function mysqlStorage(
  connection: MysqlConnection,
  options: Omit<NameOptions, 'schema'> = {},
): MysqlStorage {
  const known = ['uri', 'pool', 'idleTransactionTimeoutSeconds', ...TIME_LIMITS]
  assertOptions(connection, 'mysqlStorage', known)
  const { uri, pool } = connection
  if ((uri === undefined) === (pool === undefined)) refuse('one of uri and pool must be given')
  const limits = timeLimitsOf(connection)
  const idleSeconds = idleSecondsOf(connection)
  namesOf(options, dialectOf('mysql'))
  if (pool !== undefined) {
    assertPool(pool)
    const dialect = preparing()
    const connections = new MysqlConnections(
      async () => pool,
      dialect,
      session => checkPreparingSession(session.execute),
    )
    return databaseStorage({
      db: kyselyOver(connections, limits.writeTimeoutSeconds),
      dialect,
      names: options,
      limits,
      connections: pooledConnections(connections, dialect),
      migrate: () => migrateOwn(kyselyOver(connections, Number.POSITIVE_INFINITY), 'mysql', options),
      close: async () => {},
    })
  }

  // Its connections are at READ COMMITTED already: it need not be said before each transaction.
  const dialect = { ...preparing(), isolation: null }
  const address = addressOf(uri)
  const own = ownPool(address, limits)
  const connections = new MysqlConnections(own.open, dialect, ownSession(limits, idleSeconds))
  const db = kyselyOver(connections, limits.writeTimeoutSeconds)
  return databaseStorage({
    db,
    dialect,
    names: options,
    limits,
    connections: pooledConnections(connections, dialect),
    async migrate() {
      const apart = ownPool(address, limits)
      const patient = new MysqlConnections(apart.open, dialect, migrationSession)
      const work = migrateOwn(kyselyOver(patient, Number.POSITIVE_INFINITY), 'mysql', options)
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

function assertPool(pool: MysqlPool): void {
  const wanted = 'pool must be a pool of mysql2, made with callbacks and not with mysql2/promise'
  if (typeof pool !== 'object' || pool === null) refuse(`${wanted}, not ${kindOf(pool)}`)
  if (typeof pool.getConnection !== 'function' || 'pool' in pool) refuse(wanted)
}
