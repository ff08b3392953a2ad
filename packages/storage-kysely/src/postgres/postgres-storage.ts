import { Kysely, PostgresDialect } from 'kysely'
import { DatabaseError } from '../database-error.ts'
import { type DatabaseStorage, databaseStorage } from '../database-storage.ts'
import { dialectOf } from '../dialects/index.ts'
import type { KyselyStorageOptions } from '../kysely-storage.ts'
import { assertKnown } from '../schema/names.ts'
import type { Tables } from '../schema/tables.ts'
import { namingPool } from './naming-pool.ts'
import type { PgPool } from './pg-pool.ts'
import { poolConnections } from './pool-connections.ts'

export interface PostgresConnection {
  /** `postgres://user:password@host:5432/database`. A pool of ten connections is made at the first use. */
  connectionString?: string
  /** In its place, a `Pool` of pg 8 that the host made and ends. */
  pool?: PgPool
}

export type PostgresStorage = DatabaseStorage

/**
 * A storage in PostgreSQL 14 or later, through pg. Any number of processes may share the database. Throws `TypeError` for
 * options that are wrong; the database is first spoken to at the first use.
 */
export function postgresStorage(
  connection: PostgresConnection,
  options: KyselyStorageOptions = {},
): PostgresStorage {
  assertKnown(connection, 'connectionString', 'pool')
  const { connectionString, pool } = connection
  if ((connectionString === undefined) === (pool === undefined)) {
    throw new TypeError('one of connectionString and pool must be given')
  }
  if (pool === undefined && (typeof connectionString !== 'string' || connectionString === '')) {
    throw new TypeError('connectionString must be a PostgreSQL connection string')
  }
  if (pool !== undefined && typeof pool?.connect !== 'function')
    throw new TypeError('pool must be a Pool of pg')

  let opened: Promise<PgPool> | undefined
  const open = () => {
    opened ??= pool === undefined ? openPool(connectionString ?? '') : Promise.resolve(pool)
    return opened
  }
  const dialect = new PostgresDialect({ pool: async () => namingPool(await open()) })
  const db = new Kysely<Tables>({ dialect })
  const close = async () => {
    await db.destroy()
    if (pool === undefined) await (await opened)?.end()
  }
  return databaseStorage(db, dialectOf('postgres'), options, close, poolConnections(open))
}

async function openPool(connectionString: string): Promise<PgPool> {
  const { default: pg } = await import('pg').catch(error => {
    throw new DatabaseError('postgresStorage with a connectionString needs the package pg', { cause: error })
  })
  const pool = new pg.Pool({ connectionString, keepAlive: true, connectionTimeoutMillis: 10_000 })
  // An idle connection that ends is replaced when one is needed next; unheard, the event would end the process.
  pool.on('error', () => {})
  return pool
}
