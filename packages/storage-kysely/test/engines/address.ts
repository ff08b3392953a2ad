import { PATIENT } from '@tillkit/servers'
import SqliteDatabase from 'better-sqlite3'
import { Kysely, type KyselyConfig, MysqlDialect, PostgresDialect, SqliteDialect } from 'kysely'
import mysql from 'mysql2'
import pg from 'pg'
import type { TimeLimits } from '../../src/connections/limits/time-limits.ts'
import type { DatabaseStorage, KyselyStorageOptions } from '../../src/index.ts'
import { mysqlStorage } from '../../src/mysql/index.ts'
import { postgresStorage } from '../../src/postgres/index.ts'
import { sqliteStorage } from '../../src/sqlite/index.ts'

export { PATIENT }

/** Where a test's database is: plain data, so that another process can be told. */
export type Address =
  | { dialect: 'sqlite'; file: string }
  | { dialect: 'postgres'; connectionString: string; schema: string }
  | { dialect: 'mysql'; uri: string }

/** The host's tables as far as tests have any. */
export interface HostTables {
  orders: { id: number; note: string }
}

/** Options that say where the tables are. */
export function placeOf(address: Address): Pick<KyselyStorageOptions, 'schema'> {
  return address.dialect === 'postgres' ? { schema: address.schema } : {}
}

export function storageAt(
  address: Address,
  names: Pick<KyselyStorageOptions, 'schema' | 'tablePrefix'> = {},
  limits: TimeLimits = PATIENT,
): DatabaseStorage {
  const named = { ...placeOf(address), ...names }
  if (address.dialect === 'sqlite') return sqliteStorage({ file: address.file }, named)
  if (address.dialect === 'mysql') return mysqlStorage({ uri: address.uri, ...limits }, named)
  return postgresStorage({ connectionString: address.connectionString, ...limits }, named)
}

/** A Kysely instance as a host makes one for itself: kysely's own dialect and driver. */
export function hostDatabaseAt(address: Address, log?: KyselyConfig['log']): Kysely<HostTables> {
  return new Kysely({ dialect: hostDialect(address), log })
}

function hostDialect(address: Address) {
  if (address.dialect === 'sqlite') return new SqliteDialect({ database: new SqliteDatabase(address.file) })
  if (address.dialect === 'mysql') return new MysqlDialect({ pool: mysql.createPool(address.uri) })
  const options = `-c search_path="${address.schema}"`
  const pool = new pg.Pool({ connectionString: address.connectionString, options })
  pool.on('error', () => {})
  pool.on('connect', client => client.on('error', () => {}))
  return new PostgresDialect({ pool })
}

/** The address of a server with another user, database or options. */
export function changedAddress(address: Address, change: (url: URL) => unknown): Address {
  if (address.dialect === 'sqlite') throw new Error('SQLite has no address')
  const url = new URL(address.dialect === 'postgres' ? address.connectionString : address.uri)
  change(url)
  return address.dialect === 'postgres'
    ? { ...address, connectionString: url.href }
    : { ...address, uri: url.href }
}
