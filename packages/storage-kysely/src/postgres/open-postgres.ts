import { Kysely, PostgresDialect } from 'kysely'
import { pooledConnections } from '../connections/pooled-connections.ts'
import type { TimeLimits } from '../connections/time-limits.ts'
import { type DatabaseStorage, databaseStorage } from '../database-storage.ts'
import { dialectOf } from '../dialects/index.ts'
import { migrateOwn } from '../migrations/migrate.ts'
import type { NameOptions } from '../schema/names.ts'
import type { Tables } from '../schema/tables.ts'
import { kyselyPool } from './kysely-pool.ts'
import { ownPool } from './own-pool.ts'
import { PgConnections } from './pg-connections.ts'
import type { PgPool } from './pg-pool.ts'
import { sessionCheck } from './session-check.ts'
import { MIGRATION_SETTINGS } from './session-settings.ts'

/** The storage over the host's pool, or over one of its own at that address, whose sessions begin with `settings`. */
export function openPostgres(
  given: PgPool | string,
  names: NameOptions & { tablePrefix: string },
  limits: Required<TimeLimits>,
  settings: string,
): DatabaseStorage {
  const dialect = dialectOf('postgres')
  const { schema, tablePrefix } = names
  const check = sessionCheck(schema === undefined ? `${tablePrefix}ledgers` : undefined)
  const own = typeof given === 'string' ? ownPool(given, limits) : undefined
  const open = own ? () => own.open() : async () => given as PgPool
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
    migrateOwn(kyselyOver(on, Number.POSITIVE_INFINITY), 'postgres', names)
  const migrateApart = async (address: string) => {
    const apart = ownPool(address, limits)
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
    names,
    limits,
    connections: pooledConnections(connections, dialect),
    migrate: () => (typeof given === 'string' ? migrateApart(given) : migrateOn(connections)),
    async close() {
      await db.destroy()
      await own?.close()
    },
  })
}

function kyselyOver(connections: PgConnections, seconds: number): Kysely<Tables> {
  return new Kysely({ dialect: new PostgresDialect({ pool: kyselyPool(connections, seconds) }) })
}
