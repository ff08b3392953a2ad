import { mysqlStorage } from '@tillkit/storage-kysely/mysql'
import { postgresStorage } from '@tillkit/storage-kysely/postgres'
import { sqliteStorage } from '@tillkit/storage-kysely/sqlite'

export const ENGINES = ['sqlite', 'postgres', 'mysql'] as const
export type EngineName = (typeof ENGINES)[number]

/** Where a database is: plain data, so that another process can be told. */
export type Address =
  | { engine: 'sqlite'; file: string }
  | { engine: 'postgres'; url: string }
  | { engine: 'mysql'; url: string }

/** The storage of a host, with the options that it has when nobody gives any. */
export function storageAt(address: Address) {
  if (address.engine === 'sqlite') return sqliteStorage({ file: address.file })
  if (address.engine === 'mysql') return mysqlStorage({ uri: address.url })
  return postgresStorage({ connectionString: address.url })
}

/** The same database by way of another port. */
export function byPort(address: Address, port: number): Address {
  if (address.engine === 'sqlite') throw new Error('SQLite has no port')
  const url = new URL(address.url)
  url.port = `${port}`
  return { ...address, url: url.href }
}

/** Where the server listens. */
export function serverOf(address: Address): { host: string; port: number } {
  if (address.engine === 'sqlite') throw new Error('SQLite has no server')
  const { hostname, port } = new URL(address.url)
  return { host: hostname, port: Number(port || (address.engine === 'postgres' ? 5432 : 3306)) }
}
