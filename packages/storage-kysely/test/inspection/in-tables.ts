import { type Kysely, type QueryResult, sql } from 'kysely'
import { beforeEach } from 'vitest'
import type { DatabaseStorage } from '../../src/index.ts'
import { type HostTables, hostDatabaseAt, storageAt } from '../engines/address.ts'
import type { Engine, TestDatabase } from '../engines/engine.ts'

export interface TablesOfAHost {
  readonly database: TestDatabase
  readonly storage: DatabaseStorage
  /** The host's own connections to it. */
  readonly db: Kysely<HostTables>
  /** Runs a statement over them. */
  readonly run: (statement: string) => Promise<QueryResult<unknown>>
}

type Hook = (open: () => Promise<() => Promise<void>>) => void

/**
 * Opens a database of its own before each test of a suite, or before all with `beforeAll`, and drops it after. It is migrated
 * as `layout` says; not at all where that is null.
 */
export function inTables(
  create: Engine['create'],
  { layout = null, before = beforeEach }: { layout?: object | null; before?: Hook } = {},
): TablesOfAHost {
  const host = { run: (statement: string) => sql.raw(statement).execute(host.db) } as TablesOfAHost
  before(async () => {
    const database = await create()
    const storage = storageAt(database.address)
    const db = hostDatabaseAt(database.address)
    Object.assign(host, { database, storage, db })
    if (layout) await storage.migrate(layout)
    return async () => {
      await db.destroy()
      await storage.close()
      await database.drop()
    }
  })
  return host
}
