import { Kysely, MysqlDialect, type MysqlPool } from 'kysely'
import { DatabaseError } from '../database-error.ts'
import { type DatabaseStorage, databaseStorage } from '../database-storage.ts'
import { dialectOf } from '../dialects/index.ts'
import type { KyselyStorageOptions } from '../kysely-storage.ts'
import { assertKnown } from '../schema/names.ts'
import type { Tables } from '../schema/tables.ts'

export interface MysqlConnection {
  /** `mysql://user:password@host:3306/database`. A pool of ten connections is made at the first use. */
  uri?: string
  /** In its place, a pool of mysql2 3 (`createPool` of `mysql2`, not of `mysql2/promise`) that the host made and ends. */
  pool?: MysqlPool
}

export type MysqlStorage = DatabaseStorage

/**
 * A storage in MariaDB 10.6 or later or MySQL 8, through mysql2. Any number of processes may share the database. Throws
 * `TypeError` for options that are wrong; the database is first spoken to at the first use.
 */
export function mysqlStorage(
  connection: MysqlConnection,
  options: Omit<KyselyStorageOptions, 'schema'> = {},
): MysqlStorage {
  assertKnown(connection, 'uri', 'pool')
  const { uri, pool } = connection
  if ((uri === undefined) === (pool === undefined)) throw new TypeError('one of uri and pool must be given')
  if (pool === undefined && (typeof uri !== 'string' || !/^(mysql|mariadb):\/\//.test(uri))) {
    throw new TypeError('uri must be a mysql:// address')
  }
  if (pool !== undefined && (typeof pool?.getConnection !== 'function' || 'pool' in pool)) {
    throw new TypeError('pool must be a pool of mysql2, made with callbacks and not with mysql2/promise')
  }

  const dialect = dialectOf('mysql')
  if (pool !== undefined) {
    const hosted = new Kysely<Tables>({ dialect: new MysqlDialect({ pool }) })
    return databaseStorage(hosted, dialect, options, async () => {})
  }
  const own = new Kysely<Tables>({ dialect: new MysqlDialect({ pool: () => openPool(uri ?? '') }) })
  // Its connections are at READ COMMITTED already: it need not be said before each transaction.
  return databaseStorage(own, { ...dialect, isolation: null }, options, () => own.destroy())
}

/** What each connection begins with, whatever the server's defaults: text too long is an error, backslashes escape. */
const SETTINGS = [
  'set session transaction isolation level read committed',
  `set session sql_mode = 'STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'`,
]

async function openPool(uri: string): Promise<MysqlPool> {
  const { default: mysql } = await import('mysql2').catch(error => {
    throw new DatabaseError('mysqlStorage with a uri needs the package mysql2', { cause: error })
  })
  const pool = mysql.createPool({
    uri: uri.replace(/^mariadb:/, 'mysql:'),
    connectTimeout: 10_000,
    enableKeepAlive: true,
  })
  pool.on('connection', connection => {
    // A connection that fails here fails whoever waits for it; unheard, the error would end the process.
    for (const setting of SETTINGS) connection.query(setting, () => {})
  })
  return pool
}
