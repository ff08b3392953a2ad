import { idleSecondsOf, type SessionLimits } from '../connections/session-limits.ts'
import { TIME_LIMITS, type TimeLimits, timeLimitsOf } from '../connections/time-limits.ts'
import type { DatabaseStorage } from '../database-storage.ts'
import { loadedAtFirstUse } from '../loaded-at-first-use.ts'
import { assertOptions, kindOf, refuse } from '../schema/invalid-input.ts'
import { type NameOptions, namesOf } from '../schema/names.ts'
import type { MysqlPool } from './mysql-pool.ts'
import { addressOf } from './own-pool.ts'

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
  const names = namesOf(options, { name: 'mysql' })
  if (pool !== undefined) assertPool(pool)
  const address = pool === undefined ? addressOf(uri) : ''
  return loadedAtFirstUse(async () => {
    const { openMysql } = await import('./open-mysql.ts')
    return openMysql(pool ?? address, names, limits, idleSeconds)
  })
}

function assertPool(pool: MysqlPool): void {
  const wanted = 'pool must be a pool of mysql2, made with callbacks and not with mysql2/promise'
  if (typeof pool !== 'object' || pool === null) refuse(`${wanted}, not ${kindOf(pool)}`)
  if (typeof pool.getConnection !== 'function' || 'pool' in pool) refuse(wanted)
}
