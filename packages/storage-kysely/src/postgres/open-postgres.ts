import { Kysely, PostgresDialect } from 'kysely'
import type { Connections } from '../connections/connections.ts'
import { pooledConnections } from '../connections/pooled-connections.ts'
import type { TimeLimits } from '../connections/time-limits.ts'
import type { DatabaseStorage, StorageParts } from '../database-storage.ts'
import { dialectOf } from '../dialects/index.ts'
import { migrateOwn } from '../migrations/migrate.ts'
import type { MigrateOptions } from '../migrations/options.ts'
import { storageInPlace } from '../replicas/with-replica.ts'
import type { Placed } from '../schema/in-place.ts'
import type { NameOptions } from '../schema/names.ts'
import type { Tables } from '../schema/tables.ts'
import { follow } from './follow.ts'
import { kyselyPool } from './kysely-pool.ts'
import { isReadOnly } from './one-that-writes.ts'
import { ownPool } from './own-pool.ts'
import { PgConnections } from './pg-connections.ts'
import type { PgPool } from './pg-pool.ts'
import { serversOf } from './servers.ts'
import { sessionCheck } from './session-check.ts'
import { MIGRATION_SETTINGS, sessionSettings } from './session-settings.ts'

/** What the sessions of the server are to the storage. */
interface Sessions {
  /** False where each transaction may have another, which what is said to one would not hold for. */
  preparedStatements: boolean
  idleSeconds: number
}

/** What a storage in PostgreSQL is opened with. */
export interface PostgresParts extends Sessions {
  names: NameOptions & { tablePrefix: string }
  limits: Required<TimeLimits>
  replica?: { connectionString: string; maxLagSeconds: number } | undefined
}

/** The storage over the host's pool, or over one of its own at that address. */
export function openPostgres(given: PgPool | string, parts: PostgresParts): () => DatabaseStorage {
  const { connectionString, maxLagSeconds = 0 } = parts.replica ?? {}
  const replica =
    connectionString === undefined
      ? undefined
      : { server: serverAt(connectionString, parts), maxLagSeconds, follow }
  return storageInPlace(placed => serverAt(given, parts, placed), parts.names, replica)
}

function serverAt(
  given: PgPool | string,
  { names, limits, preparedStatements, idleSeconds }: PostgresParts,
  placed?: Placed,
): StorageParts & { connections: Connections } {
  const known = dialectOf('postgres')
  const isOver = typeof given === 'string' && serversOf(given).asked ? isReadOnly : undefined
  // Of several servers another one may take what this one refuses.
  const dialect = isOver
    ? { ...known, isTransient: (error: unknown) => known.isTransient(error) || isOver(error) }
    : known
  const { schema, tablePrefix } = names
  const check = sessionCheck(schema === undefined ? `${tablePrefix}ledgers` : undefined, placed)
  const own = typeof given === 'string' ? ownPool(given, limits) : undefined
  const settable = own !== undefined && preparedStatements
  const open = own ? () => own.open() : async () => given as PgPool
  const connections = new PgConnections(
    open,
    dialect,
    async session => {
      if (settable) await session.query(sessionSettings(limits, idleSeconds), [])
      return check(session.execute)
    },
    {
      named: preparedStatements,
      isOver,
      mayInterrupt: !settable,
      idleSeconds: own && !settable ? idleSeconds : undefined,
    },
  )
  const migrateOn = (on: PgConnections, options: MigrateOptions) =>
    migrateOwn(kyselyOver(on, Number.POSITIVE_INFINITY), 'postgres', { ...names, ...options })
  const migrateApart = async (address: string, options: MigrateOptions) => {
    const apart = ownPool(address, limits)
    const patient = new PgConnections(
      () => apart.open(),
      dialect,
      async session => {
        if (settable) await session.query(MIGRATION_SETTINGS, [])
        return true
      },
      { named: preparedStatements },
    )
    await migrateOn(patient, options).finally(() => apart.close())
  }
  const db = kyselyOver(connections, limits.writeTimeoutSeconds)
  return {
    db,
    dialect,
    names,
    limits,
    connections: pooledConnections(connections, dialect),
    migrate: options =>
      typeof given === 'string' ? migrateApart(given, options) : migrateOn(connections, options),
    async close() {
      await db.destroy()
      await own?.close()
    },
  }
}

function kyselyOver(connections: PgConnections, seconds: number): Kysely<Tables> {
  return new Kysely({ dialect: new PostgresDialect({ pool: kyselyPool(connections, seconds) }) })
}
