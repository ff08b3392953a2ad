import { Kysely, PostgresDialect } from 'kysely'
import { areDistributed, distributeTables } from '../citus/distribute.ts'
import type { Connections } from '../connections/connections.ts'
import type { TimeLimits } from '../connections/limits/time-limits.ts'
import { pooledConnections } from '../connections/pools/pooled-connections.ts'
import { poolsApart } from '../connections/pools/pools-apart.ts'
import type { DatabaseStorage, StorageParts } from '../database-storage.ts'
import { type Dialect, dialectOf } from '../dialects/index.ts'
import { isReadOnly } from '../dialects/postgres-errors.ts'
import { migrateOwn } from '../migrations/migrate.ts'
import { storageInPlace } from '../replicas/with-replica.ts'
import type { Placed } from '../schema/in-place.ts'
import type { NameOptions } from '../schema/names.ts'
import type { Tables } from '../schema/tables.ts'
import { follow } from './follow.ts'
import { kyselyPool } from './pools/kysely-pool.ts'
import { ownPool } from './pools/own-pool.ts'
import { PgConnections } from './pools/pg-connections.ts'
import type { PgPool } from './pools/pg-pool.ts'
import { type NodePool, waysToNodes } from './pools/ways-to-nodes.ts'
import { isSocket, serversOf } from './servers.ts'
import { sessionCheck } from './sessions/session-check.ts'
import {
  DISTRIBUTED_SETTINGS,
  MIGRATION_SETTINGS,
  MIGRATION_SETTINGS_IF_KNOWN,
  sessionSettings,
} from './sessions/session-settings.ts'
import { setForSession, setWithEnd } from './sessions/set-for-session.ts'

/** What the sessions of the server are to the storage. */
interface Sessions {
  /** False where each transaction may have another, which what is said to one would not hold for. */
  preparedStatements: boolean
  idleSeconds: number
}

/** What a storage in PostgreSQL is opened with. */
export interface PostgresParts extends Sessions {
  /** Whether a merchant's calls go straight to the node of a cluster that has the rows, where it can be reached. */
  directToNodes: boolean
  names: NameOptions & { tablePrefix: string }
  limits: Required<TimeLimits>
  replica?: { connectionString: string; maxLagSeconds: number } | undefined
}

/** How the tables of a server are found. */
interface Found {
  placed?: Placed
  /** False where they are those of another server, which has found them. */
  looks?: boolean
}

/** The storage as it is now, and what distributes its tables. */
interface Opened {
  current: () => DatabaseStorage
  distribute(): Promise<void>
}

/** The storage over the host's pool, or over one of its own at that address. */
export function openPostgres(given: PgPool | string, parts: PostgresParts): Opened {
  const { connectionString, maxLagSeconds = 0 } = parts.replica ?? {}
  const replica =
    connectionString === undefined
      ? undefined
      : {
          server: serverAt(connectionString, parts, { pool: 'tillkit replica', looks: false }),
          maxLagSeconds,
          follow,
        }
  let distribute: Opened['distribute'] = async () => {}
  const open = (placed: Placed) => {
    const server = serverAt(given, parts, { placed })
    distribute = server.distribute
    if (typeof given !== 'string' || !parts.directToNodes || isSocket(given)) return server
    const nodes = waysToNodes(given, (address, node) => serverAt(address, parts, node))
    const watch = serverAt(given, parts, { pool: 'tillkit watch' })
    const close = async () => void (await Promise.all([server, nodes, watch].map(one => one.close())))
    return { ...server, reach: nodes.reach, watch: watch.connections, close }
  }
  return { current: storageInPlace(open, parts.names, replica), distribute }
}

function serverAt(
  given: PgPool | string,
  { names, limits, preparedStatements, idleSeconds }: PostgresParts,
  { placed, pool, checkServer, statements, looks = true }: Found & Partial<NodePool>,
): StorageParts & { connections: Connections; prepareAnew(): void; distribute(): Promise<void> } {
  const known = dialectOf('postgres')
  const isOneOfSeveral = typeof given === 'string' && serversOf(given).asked
  // Of several servers another one may take what this one refuses.
  const isTransient = (error: unknown) => known.isTransient(error) || isReadOnly(error)
  const dialect = isOneOfSeveral ? { ...known, isTransient } : known
  let distributed = false
  const hear: Placed = found => {
    if (found.distributed && !distributed) {
      distributed = true
      connections.prepareAnew()
    }
    placed?.(found)
  }
  // Nothing is committed where another server's tables are read.
  const check = sessionCheck(looks ? names : undefined, hear, looks)
  const own = typeof given === 'string' ? ownPool(given, limits) : undefined
  const apart = typeof given === 'string' ? poolsApart(() => ownPool(given, limits)) : undefined
  const mayBeSet = own !== undefined && preparedStatements
  /** Whether what is said to a session holds for what comes after it. */
  let settable = mayBeSet
  const open = own ? () => own.open() : async () => given as PgPool
  const connections = new PgConnections(
    open,
    dialect,
    async session => {
      if (mayBeSet && !(await setWithEnd(session, sessionSettings(limits, idleSeconds)))) settable = false
      await checkServer?.(session.execute)
      const done = await check(session.execute)
      if (settable && distributed) await session.query(DISTRIBUTED_SETTINGS, [])
      return done
    },
    limits,
    {
      pool,
      statements,
      isNamed: () => preparedStatements && (own !== undefined || !distributed),
      // By way of a coordinator it is another session that waits, at the node itself its own.
      isTold: () => settable && (!distributed || checkServer !== undefined),
      distributed: () => distributed,
      idleSeconds: () => (own && !settable ? idleSeconds : undefined),
    },
  )
  /** Does what may take long: over an address, with a session that waits as long as it takes. */
  const patiently = async (work: (db: Kysely<Tables>) => Promise<void>) => {
    if (!apart) return work(kyselyOver(connections, Number.POSITIVE_INFINITY))
    await apart.with(pool => {
      const patient = new PgConnections(
        () => pool.open(),
        dialect,
        async session => {
          if (mayBeSet) await setForSession(session, MIGRATION_SETTINGS, MIGRATION_SETTINGS_IF_KNOWN)
          return true
        },
        limits,
        { pool: 'tillkit migration', isNamed: () => preparedStatements },
      )
      return work(kyselyOver(patient, Number.POSITIVE_INFINITY))
    })
  }
  const layOut = async (db: Kysely<Tables>) => {
    await distributeTables(db, dialect, names)
    hear({ schema: null, distributed: true })
  }
  const db = kyselyOver(connections, limits.writeTimeoutSeconds, dialect)
  return {
    db,
    dialect,
    names,
    limits,
    connections: pooledConnections(connections, dialect),
    prepareAnew: () => connections.prepareAnew(),
    migrate: options =>
      patiently(async db => {
        await migrateOwn(db, 'postgres', { ...names, ...options })
        if (await areDistributed(db, dialect, names)) await layOut(db)
      }),
    distribute: () => patiently(layOut),
    async close() {
      await db.destroy()
      await Promise.all([own, apart].map(pools => pools?.close()))
    },
  }
}

function kyselyOver(connections: PgConnections, seconds: number, again?: Dialect): Kysely<Tables> {
  return new Kysely({ dialect: new PostgresDialect({ pool: kyselyPool(connections, seconds, again) }) })
}
