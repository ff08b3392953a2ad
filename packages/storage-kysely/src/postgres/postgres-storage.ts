import { Kysely, PostgresDialect } from 'kysely'
import { pooledConnections } from '../connections/pooled-connections.ts'
import { idleSecondsOf, type SessionLimits } from '../connections/session-limits.ts'
import { TIME_LIMITS, type TimeLimits, timeLimitsOf } from '../connections/time-limits.ts'
import { type DatabaseStorage, databaseStorage } from '../database-storage.ts'
import { dialectOf } from '../dialects/index.ts'
import { migrateOwn } from '../migrations/migrate.ts'
import { assertOptions, kindOf, refuse } from '../schema/invalid-input.ts'
import { type NameOptions, namesOf } from '../schema/names.ts'
import type { Tables } from '../schema/tables.ts'
import { kyselyPool } from './kysely-pool.ts'
import { ownPool } from './own-pool.ts'
import { PgConnections } from './pg-connections.ts'
import { hear, type PgPool } from './pg-pool.ts'
import { sessionCheck } from './session-check.ts'
import { MIGRATION_SETTINGS, sessionSettings } from './session-settings.ts'

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

  const dialect = dialectOf('postgres')
  const limits = timeLimitsOf(connection)
  const settings = sessionSettings(limits, idleSecondsOf(connection))
  const { schema, tablePrefix } = namesOf(options, dialect)
  const check = sessionCheck(schema === undefined ? `${tablePrefix}ledgers` : undefined)
  const own = pool === undefined ? ownPool(connectionString ?? '', limits) : undefined
  if (pool !== undefined) hear(pool)

  const open = own ? () => own.open() : async () => pool as PgPool
  const connections = new PgConnections(
    open,
    dialect,
    async session => {
      if (own) await session.query(settings, [])
      await check(session.execute)
    },
    own === undefined,
  )
  const migrateOn = (on: PgConnections) =>
    migrateOwn(kyselyOver(on, Number.POSITIVE_INFINITY), 'postgres', options)
  const migrateApart = async () => {
    const apart = ownPool(connectionString ?? '', limits)
    const patient = new PgConnections(
      () => apart.open(),
      dialect,
      async session => void (await session.query(MIGRATION_SETTINGS, [])),
    )
    await migrateOn(patient).finally(() => apart.close())
  }
  const db = kyselyOver(connections, limits.writeTimeoutSeconds)
  return databaseStorage({
    db,
    dialect,
    names: options,
    limits,
    connections: pooledConnections(connections, dialect),
    migrate: own ? migrateApart : () => migrateOn(connections),
    async close() {
      await db.destroy()
      await own?.close()
    },
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

function kyselyOver(connections: PgConnections, seconds: number): Kysely<Tables> {
  return new Kysely({ dialect: new PostgresDialect({ pool: kyselyPool(connections, seconds) }) })
}
