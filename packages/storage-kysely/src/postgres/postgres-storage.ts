import { idleSecondsOf, type SessionLimits } from '../connections/limits/session-limits.ts'
import { TIME_LIMITS, type TimeLimits, timeLimitsOf } from '../connections/limits/time-limits.ts'
import type { DatabaseStorage } from '../database-storage.ts'
import { loadedAtFirstUse, onceLoaded } from '../loaded-at-first-use.ts'
import { type ReplicaLag, replicaLagOf } from '../replicas/replica-option.ts'
import { assertOptions, kindOf, readGiven, refuse } from '../schema/invalid-input.ts'
import { type NameOptions, namesOf } from '../schema/names.ts'
import { hear, type PgPool } from './pools/pg-pool.ts'
import { serversOf } from './servers.ts'

/** Which database, and how long it is waited for. */
export interface PostgresConnection extends TimeLimits, SessionLimits {
  /**
   * `postgres://user:password@host:5432/database`. A pool of ten connections is made at the first use. Of several hosts, as in
   * `one:5432,two:5432`, the one that takes writes is used, and another one when a standby has taken over.
   */
  connectionString?: string
  /** In its place, a `Pool` of pg 8 that the host made and ends. */
  pool?: PgPool
  /**
   * False behind a pooler that hands each transaction another session of the server and does not bring prepared statements along, as PgBouncer
   * does in transaction mode before 1.24, and where its `max_prepared_statements` is 0: statements are then sent without names. True when left
   * out. Behind a pooler a pool of Tillkit's own sets its limits for a transaction and not for a session, whatever is said here.
   */
  preparedStatements?: boolean | undefined
  /**
   * On Citus: false where a merchant's calls are to go by way of the coordinator alone. Left out, they go straight to the node that has the
   * merchant's rows, at the host and port that the coordinator has for it and with all else as in `connectionString`, for as long as that
   * leads to the same server. Each node gets a pool of ten connections. With a `pool` or without prepared statements it is false.
   */
  directToNodes?: boolean | undefined
  /** A server that follows this one by streaming replication: it answers pages and reads of one payment by its id. */
  replica?: PostgresReplica | undefined
}

/** A server that is only read. */
export interface PostgresReplica extends ReplicaLag {
  /** Its address, of one host. */
  connectionString: string
}

/** The storage, what migrates it, and what closes it. */
export interface PostgresStorage extends DatabaseStorage {
  /**
   * Lays the tables out over the nodes of a Citus cluster, with what they hold: all of a merchant's at one node. Once, at
   * the coordinator, after `migrate`; again, it changes nothing. Throws `DatabaseError` where there is no Citus.
   */
  distribute(): Promise<void>
}

/**
 * A storage in PostgreSQL 14 or later, through pg. Any number of processes may share the database. Throws `TillError`
 * (`invalid_input`) for options that are wrong; the database is first spoken to at the first use.
 */
export function postgresStorage(connection: PostgresConnection, options: NameOptions = {}): PostgresStorage {
  const { given, parts } = readGiven('postgresStorage', () => read(connection, options))
  if (typeof given !== 'string') hear(given)
  const opened = onceLoaded(async () => {
    const { openPostgres } = await import('./open-postgres.ts')
    return openPostgres(given, parts)
  })
  return {
    ...loadedAtFirstUse(async () => (await opened()).current),
    distribute: async () => (await opened()).distribute(),
  }
}

function read(connection: PostgresConnection, options: NameOptions) {
  const known = [
    ...['connectionString', 'pool', 'preparedStatements', 'directToNodes', 'replica'],
    ...['idleTransactionTimeoutSeconds', ...TIME_LIMITS],
  ]
  assertOptions(connection, 'postgresStorage', known)
  const { connectionString, pool } = connection
  if ((connectionString === undefined) === (pool === undefined)) {
    refuse('one of connectionString and pool must be given')
  }
  if (pool === undefined) assertConnectionString(connectionString)
  else if (typeof pool?.connect !== 'function') refuse(`pool must be a Pool of pg, not ${kindOf(pool)}`)

  const { preparedStatements = true, directToNodes = true } = connection
  for (const [name, value] of Object.entries({ preparedStatements, directToNodes })) {
    if (typeof value !== 'boolean') refuse(`${name} must be true or false, not ${kindOf(value)}`)
  }
  const limits = timeLimitsOf(connection)
  const idleSeconds = idleSecondsOf(connection)
  const names = namesOf(options, { name: 'postgres' })
  const replica = connection.replica && replicaOf(connection.replica)
  const ways = { preparedStatements, directToNodes: directToNodes && preparedStatements }
  const parts = { names, limits, ...ways, idleSeconds, replica }
  return { given: pool ?? connectionString ?? '', parts }
}

function replicaOf(given: PostgresReplica): Required<PostgresReplica> {
  const maxLagSeconds = replicaLagOf(given, 'connectionString')
  const { addresses, asked } = serversOf(given.connectionString)
  if (asked || addresses.length > 1) refuse('replica.connectionString must name one host')
  return { ...given, maxLagSeconds }
}

/** A URL, or the folder of a socket. */
function assertConnectionString(given: unknown): void {
  if (typeof given !== 'string') {
    refuse(`connectionString must be a postgres:// address, not ${kindOf(given)}`)
  }
  serversOf(given)
}
