import { Kysely, MysqlDialect } from 'kysely'
import type { Connections } from '../connections/connections.ts'
import type { TimeLimits } from '../connections/limits/time-limits.ts'
import type { PoolName } from '../connections/pools/pool-figures.ts'
import { pooledConnections } from '../connections/pools/pooled-connections.ts'
import { poolsApart } from '../connections/pools/pools-apart.ts'
import type { DatabaseStorage, StorageParts } from '../database-storage.ts'
import { type Dialect, dialectOf } from '../dialects/index.ts'
import { migrateOwn } from '../migrations/migrate.ts'
import type { MigrateOptions } from '../migrations/options.ts'
import { storageInPlace } from '../replicas/with-replica.ts'
import type { Placed } from '../schema/in-place.ts'
import type { NameOptions } from '../schema/names.ts'
import type { Tables } from '../schema/tables.ts'
import { follow } from './follow.ts'
import { kyselyPool } from './pools/kysely-pool.ts'
import { MysqlConnections } from './pools/mysql-connections.ts'
import type { MysqlPool } from './pools/mysql-pool.ts'
import { ownPool } from './pools/own-pool.ts'
import { READ_LIMIT } from './read-limit.ts'
import { preparingSessionCheck } from './sessions/session-check.ts'
import { ownSession, prepareToMigrate } from './sessions/session-settings.ts'

/** What a storage in MariaDB or MySQL is opened with. */
export interface MysqlParts {
  /** Which of the process' pools it is; the storage's own where it is left out. */
  pool?: PoolName
  names: NameOptions
  limits: Required<TimeLimits>
  idleSeconds: number
  replica?: { uri: string; maxLagSeconds: number } | undefined
}

/** The storage over the host's pool, or over one of its own at that address. */
export function openMysql(given: MysqlPool | string, parts: MysqlParts): () => DatabaseStorage {
  const { uri, maxLagSeconds = 0 } = parts.replica ?? {}
  const replica =
    uri === undefined
      ? undefined
      : { server: serverAt(uri, { ...parts, pool: 'tillkit replica' }), maxLagSeconds, follow }
  return storageInPlace(placed => serverAt(given, parts, placed), parts.names, replica)
}

function serverAt(
  given: MysqlPool | string,
  { names, limits, idleSeconds, pool }: MysqlParts,
  placed: Placed = () => {},
): StorageParts & { connections: Connections } {
  const migrateOver = (on: MysqlConnections, options: MigrateOptions) =>
    migrateOwn(kyselyOver(on, Number.POSITIVE_INFINITY), 'mysql', { ...names, ...options })
  if (typeof given !== 'string') {
    const dialect = preparing()
    const check = preparingSessionCheck(placed)
    const connections = new MysqlConnections(
      async () => given,
      dialect,
      session => check(session.execute),
      limits,
      pool,
    )
    return {
      db: kyselyOver(connections, limits.writeTimeoutSeconds, dialect),
      dialect,
      names,
      limits,
      connections: pooledConnections(connections, dialect),
      migrate: options => migrateOver(connections, options),
      close: async () => {},
    }
  }

  // Its connections are at READ COMMITTED already: it need not be said before each transaction.
  const dialect = { ...preparing(), isolation: null }
  const own = ownPool(given, limits)
  const apart = poolsApart(() => ownPool(given, limits))
  const connections = new MysqlConnections(own.open, dialect, ownSession(limits, idleSeconds), limits, pool)
  const db = kyselyOver(connections, limits.writeTimeoutSeconds, dialect)
  return {
    db,
    dialect,
    names,
    limits,
    connections: pooledConnections(connections, dialect),
    migrate: options =>
      apart.with(pool => {
        const patient = new MysqlConnections(
          pool.open,
          dialect,
          prepareToMigrate,
          limits,
          'tillkit migration',
        )
        return migrateOver(patient, options)
      }),
    async close() {
      await db.destroy()
      await Promise.all([own.close(), apart.close()])
    },
  }
}

/** The dialect over connections that are checked as they are made and that send values apart from statements. A host's Kysely logs its own as they are. */
function preparing(): Dialect {
  const { bind: _, sessionCheck: __, ...dialect } = dialectOf('mysql')
  return { ...dialect, readLimit: READ_LIMIT }
}

function kyselyOver(connections: MysqlConnections, seconds: number, again?: Dialect): Kysely<Tables> {
  return new Kysely({ dialect: new MysqlDialect({ pool: kyselyPool(connections, seconds, again) }) })
}
