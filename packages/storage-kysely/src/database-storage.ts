import type { Storage, StorageInspection } from '@tillkit/storage'
import type { Kysely } from 'kysely'
import { atNodes } from './citus/nodes/at-nodes.ts'
import type { ClusterNode } from './citus/nodes/cluster-node.ts'
import type { WayToNode } from './citus/nodes/direct-node.ts'
import { directNodes } from './citus/nodes/direct-nodes.ts'
import type { Connections } from './connections/connections.ts'
import type { TimeLimits } from './connections/limits/time-limits.ts'
import type { Dialect } from './dialects/index.ts'
import { faultOf } from './faults/fault-of.ts'
import { databaseOf, storageOf } from './kysely-storage.ts'
import { migrateOwn } from './migrations/migrate.ts'
import { askedOf, type MigrateOptions, type MigrationStep } from './migrations/options.ts'
import { migrationsLeft } from './migrations/what-is-left.ts'
import { LaidOutAnew } from './schema/in-place.ts'
import { readGiven } from './schema/invalid-input.ts'
import type { NameOptions } from './schema/names.ts'
import type { Tables } from './schema/tables.ts'
import type { Database } from './session/database.ts'
import { eachBy, readsOf } from './session/session.ts'
import { inTransaction } from './session/transactions/in-transaction.ts'
import { TransactionScope } from './session/transactions/transaction-scope.ts'

/** A storage that looks after its own connections. */
export interface DatabaseStorage extends Storage {
  /**
   * Creates the tables, laid out as asked for, or brings them up to date while others read and write; resolves when all of
   * it is done. Throws `DatabaseError` for a database that cannot be used, or whose tables are laid out in another way.
   */
  migrate(options?: MigrateOptions): Promise<void>
  /**
   * What is left to be done by `migrate({ contract: true })`, the step `tables` for each migration that is not done; also what
   * `migrate({ contract: false })` has left, and what `migrate()` may yet have to set right. Nothing where a newer version has been at
   * the database, which does that. Changes nothing; a few reads of what tables and indexes there are. Throws `DatabaseError` for a
   * database that cannot be read.
   */
  migrationsLeft(): Promise<MigrationStep[]>
  /**
   * Runs `work` with a storage whose writes all commit together when it ends, or roll back when it throws. It is run
   * once: what another transaction undoes is the caller's to run again.
   */
  transaction<Result>(work: (storage: Storage) => Promise<Result>): Promise<Result>
  /**
   * Ends its connections, and with them a migration under way, which rejects and may be run again; twice is the same as once. A
   * pool that was handed in stays the host's to end. Throws `TillError` (`invalid_input`) inside a `transaction` of its own.
   */
  close(): Promise<void>
}

/** What a storage is made of. */
export interface StorageParts {
  /** Runs what is a transaction of the host's, and writes queries. */
  db: Kysely<Tables>
  dialect: Dialect
  names: NameOptions
  limits: Required<TimeLimits>
  /** Where all else goes. */
  connections?: Connections
  /** Runs the migrations, which may take long; `db` where it is left out. */
  migrate?: ((options: MigrateOptions) => Promise<void>) | undefined
  /** False once the tables lie otherwise than statements of this dialect expect. */
  isCurrent?: () => boolean
  /** The way to a node of a cluster; left out where all goes by way of its coordinator. */
  reach?: ((node: ClusterNode) => WayToNode) | undefined
  /** Where it is asked which node that is: what keeps the others busy keeps nobody from the nodes then. */
  watch?: Connections | undefined
  /** True where reads have no other connection than writes. */
  oneConnection?: boolean
  close(): Promise<void>
}

export function databaseStorage(parts: StorageParts): DatabaseStorage {
  const { db, dialect, names, limits, connections, isCurrent = () => true } = parts
  const scope = new TransactionScope()
  const database = databaseOf(db, dialect, names, limits, { connections, watch: parts.watch })
  // With one writer at a time, a write made by the work of a transaction would wait for that transaction.
  const outside = dialect.oneWriter ? () => scope.assertOutside() : () => {}
  let closing: Promise<void> | undefined
  const apart = { ...database, ...waitingApart(database, outside, parts.oneConnection ?? false) }
  const at = directNodesOf(database, parts)
  const storage = storageOf({ ...apart, at: at && (merchantId => at(merchantId)?.database) })
  return {
    ...(at ? atNodes(storage, merchantId => at(merchantId)?.port) : storage),
    inspect: async request => {
      outside()
      return storage.inspect?.(request) as Promise<StorageInspection>
    },
    async migrate(options = {}) {
      readGiven('migrate', () => askedOf(options, dialect))
      outside()
      await (parts.migrate?.(options) ?? migrateOwn(db, dialect.name, { ...names, ...options }))
    },
    async migrationsLeft() {
      outside()
      return migrationsLeft(db, dialect, names)
    },
    async transaction(work) {
      outside()
      // What the work throws is the host's own.
      let thrown: { error: unknown } | undefined
      const inside = async (trx: Kysely<Tables>) => {
        if (!isCurrent()) throw new LaidOutAnew()
        return scope
          .run(() => work({ ...storageOf(databaseOf(trx, dialect, names, limits)), inTransaction: true }))
          .catch(error => {
            thrown = { error }
            throw error
          })
      }
      try {
        return await inTransaction(db, dialect, limits, inside)
      } catch (error) {
        throw thrown ? thrown.error : faultOf(error, dialect)
      }
    },
    close() {
      closing ??= parts.close()
      return closing
    },
  }
}

/** What has a merchant's calls made at the node that has the rows; undefined where all are at one, or are not spoken to. */
function directNodesOf(
  database: Database,
  { db, dialect, names, limits, connections, reach, watch = connections }: StorageParts,
): ReturnType<typeof directNodes> | undefined {
  if (!database.certainNodeOf || !reach || !connections || !watch) return undefined
  return directNodes(database, {
    reach,
    coordinator: connections,
    watch: readsOf(watch, dialect, limits.readTimeoutSeconds),
    databaseOver: (over, node) =>
      databaseOf(db, dialect, names, limits, { connections: over, nodeOf: () => node }),
    portOf: storageOf,
  })
}

/** What asks first whether it may wait for the writer, and reads too where they have its connection. */
function waitingApart(
  { read, write }: Database,
  outside: () => void,
  reads: boolean,
): Pick<Database, 'read' | 'write'> {
  const asked = async <Result>(call: () => Promise<Result>) => {
    outside()
    return call()
  }
  return {
    write: (work, options) => asked(() => write(work, options)),
    read: reads ? eachBy(ask => asked(() => ask(read))) : read,
  }
}
