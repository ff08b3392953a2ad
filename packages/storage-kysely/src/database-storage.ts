import type { Storage } from '@tillkit/storage'
import type { Kysely } from 'kysely'
import type { Dialect } from './dialects/index.ts'
import { databaseOf, type KyselyStorageOptions, kyselyStorage, storageOf } from './kysely-storage.ts'
import { migrate } from './migrations/migrate.ts'
import type { Tables } from './schema/tables.ts'
import type { Connections } from './session/connections.ts'

/** A storage that looks after its own connections. */
export interface DatabaseStorage extends Storage {
  /** Creates the tables or brings them up to date. Throws `DatabaseError` for a database that cannot be used. */
  migrate(): Promise<void>
  /**
   * Runs `work` with a storage whose writes all commit together when it ends, or roll back when it throws. It is run
   * once: what another transaction undoes is the caller's to run again.
   */
  transaction<Result>(work: (storage: Storage) => Promise<Result>): Promise<Result>
  /** Ends its connections; twice is the same as once. A pool that was handed in stays the host's to end. */
  close(): Promise<void>
}

/** The storage over `db`; what is no transaction goes to `connections` where there is a shorter way. */
export function databaseStorage(
  db: Kysely<Tables>,
  dialect: Dialect,
  options: KyselyStorageOptions,
  close: () => Promise<void>,
  connections?: Connections,
): DatabaseStorage {
  const { isolation, name } = dialect
  let closing: Promise<void> | undefined
  const transaction = () => (isolation ? db.transaction().setIsolationLevel(isolation) : db.transaction())
  return {
    ...storageOf(databaseOf(db, dialect, options, connections)),
    migrate: () => migrate(db, name, options),
    transaction: work => transaction().execute(trx => work(kyselyStorage(trx, name, options))),
    close() {
      closing ??= close()
      return closing
    },
  }
}
