import SqliteDatabase from 'better-sqlite3'
import { Kysely, type KyselyConfig, SqliteDialect } from 'kysely'
import { type SqliteStorage, sqliteStorage } from '../../src/sqlite/index.ts'

/** Where a test's database is: plain data, so that another process can be told. */
export interface Address {
  dialect: 'sqlite'
  file: string
}

/** The host's tables as far as tests have any. */
export interface HostTables {
  orders: { id: number; note: string }
}

export function storageAt({ file }: Address, options: { tablePrefix?: string } = {}): SqliteStorage {
  return sqliteStorage({ ...options, file })
}

/** A Kysely instance as a host makes one for itself: kysely's own dialect and driver. */
export function hostDatabaseAt({ file }: Address, log?: KyselyConfig['log']): Kysely<HostTables> {
  return new Kysely({ dialect: new SqliteDialect({ database: new SqliteDatabase(file) }), log })
}
