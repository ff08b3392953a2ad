import { idleSecondsOf, type SessionLimits } from '../connections/limits/session-limits.ts'
import { TIME_LIMITS, type TimeLimits, timeLimitsOf } from '../connections/limits/time-limits.ts'
import type { DatabaseStorage } from '../database-storage.ts'
import { loadedAtFirstUse } from '../loaded-at-first-use.ts'
import { type ReplicaLag, replicaLagOf } from '../replicas/replica-option.ts'
import { assertOptions, kindOf, readGiven, refuse } from '../schema/invalid-input.ts'
import { type NameOptions, namesOf } from '../schema/names.ts'
import { addressOf } from './pools/address.ts'
import type { MysqlPool } from './pools/mysql-pool.ts'

/** Which database, and how long it is waited for. */
export interface MysqlConnection extends TimeLimits, SessionLimits {
  /** `mysql://user:password@host:3306/database`. A pool of ten connections is made at the first use. */
  uri?: string
  /** In its place, a pool of mysql2 3 (`createPool` of `mysql2`, not of `mysql2/promise`) that the host made and ends. */
  pool?: MysqlPool
  /** A server that follows this one by transactions' ids (GTID): it answers pages and reads of one payment by its id. */
  replica?: MysqlReplica | undefined
}

/** A server that is only read. */
export interface MysqlReplica extends ReplicaLag {
  /** Its address. */
  uri: string
}

/** The storage, what migrates it, and what closes it. */
export type MysqlStorage = DatabaseStorage

/**
 * A storage in MariaDB 10.6 or later or MySQL 8.0 or later, through mysql2. Any number of processes may share the database. Throws
 * `TillError` (`invalid_input`) for options that are wrong; the database is first spoken to at the first use.
 */
export function mysqlStorage(
  connection: MysqlConnection,
  options: Omit<NameOptions, 'schema'> = {},
): MysqlStorage {
  const { given, parts } = readGiven('mysqlStorage', () => read(connection, options))
  return loadedAtFirstUse(async () => {
    const { openMysql } = await import('./open-mysql.ts')
    return openMysql(given, parts)
  })
}

function read(connection: MysqlConnection, options: Omit<NameOptions, 'schema'>) {
  const known = ['uri', 'pool', 'replica', 'idleTransactionTimeoutSeconds', ...TIME_LIMITS]
  assertOptions(connection, 'mysqlStorage', known)
  const { uri, pool } = connection
  if ((uri === undefined) === (pool === undefined)) refuse('one of uri and pool must be given')
  const limits = timeLimitsOf(connection)
  const idleSeconds = idleSecondsOf(connection)
  const names = namesOf(options, { name: 'mysql' })
  if (pool !== undefined) assertPool(pool)
  const given = pool ?? addressOf(uri)
  const replica = connection.replica && replicaOf(connection.replica)
  return { given, parts: { names, limits, idleSeconds, replica } }
}

function replicaOf(given: MysqlReplica): Required<MysqlReplica> {
  return { maxLagSeconds: replicaLagOf(given, 'uri'), uri: addressOf(given.uri) }
}

function assertPool(pool: MysqlPool): void {
  const wanted = 'pool must be a pool of mysql2, made with callbacks and not with mysql2/promise'
  if (typeof pool !== 'object' || pool === null) refuse(`${wanted}, not ${kindOf(pool)}`)
  if (typeof pool.getConnection !== 'function' || 'pool' in pool) refuse(wanted)
}
