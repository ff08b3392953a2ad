import { idleSecondsOf, type SessionLimits } from '../connections/session-limits.ts'
import { TIME_LIMITS, type TimeLimits, timeLimitsOf } from '../connections/time-limits.ts'
import type { DatabaseStorage } from '../database-storage.ts'
import { loadedAtFirstUse } from '../loaded-at-first-use.ts'
import { assertOptions, kindOf, refuse } from '../schema/invalid-input.ts'
import { type NameOptions, namesOf } from '../schema/names.ts'
import { hear, type PgPool } from './pg-pool.ts'
import { sessionSettings } from './session-settings.ts'

/** Which database, and how long it is waited for. */
export interface PostgresConnection extends TimeLimits, SessionLimits {
  /** `postgres://user:password@host:5432/database`. A pool of ten connections is made at the first use. */
  connectionString?: string
  /** In its place, a `Pool` of pg 8 that the host made and ends. */
  pool?: PgPool
}

/** The storage, what migrates it, and what closes it. */
export type PostgresStorage = DatabaseStorage

/**
 * A storage in PostgreSQL 14 or later, through pg. Any number of processes may share the database. Throws `TillError`
 * (`invalid_input`) for options that are wrong; the database is first spoken to at the first use.
 */
export function postgresStorage(connection: PostgresConnection, options: NameOptions = {}): PostgresStorage {
  const known = ['connectionString', 'pool', 'idleTransactionTimeoutSeconds', ...TIME_LIMITS]
  assertOptions(connection, 'postgresStorage', known)
  const { connectionString, pool } = connection
  if ((connectionString === undefined) === (pool === undefined)) {
    refuse('one of connectionString and pool must be given')
  }
  if (pool === undefined) assertConnectionString(connectionString)
  else if (typeof pool?.connect !== 'function') refuse(`pool must be a Pool of pg, not ${kindOf(pool)}`)

  const limits = timeLimitsOf(connection)
  const settings = sessionSettings(limits, idleSecondsOf(connection))
  const names = namesOf(options, { name: 'postgres' })
  if (pool !== undefined) hear(pool)
  return loadedAtFirstUse(async () => {
    const { openPostgres } = await import('./open-postgres.ts')
    return openPostgres(pool ?? connectionString ?? '', names, limits, settings)
  })
}

/** A URL, or the folder of a socket. */
function assertConnectionString(given: unknown): void {
  const wanted = 'connectionString must be a postgres:// address'
  if (typeof given !== 'string') refuse(`${wanted}, not ${kindOf(given)}`)
  if (/^(\/|socket:)/.test(given)) return
  if (!URL.canParse(given)) refuse(`${wanted}, and this is not a URL`)
  const { protocol } = new URL(given)
  if (!/^postgres(ql)?:$/.test(protocol)) refuse(`${wanted}, and this begins with ${protocol}`)
}
