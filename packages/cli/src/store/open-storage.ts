import { existsSync } from 'node:fs'
import type { DatabaseStorage } from '@tillkit/storage-kysely'
import { Refused } from '../program/usage-error.ts'
import type { Values } from '../settings/settings.ts'
import { SettingsError } from '../settings/settings-error.ts'

/**
 * The storage that the settings name; nothing is asked of it before its first use. Throws `SettingsError` for an address that
 * is none, and, unless it may be `made`, `Refused` for an SQLite file that is not there: a name mistyped makes no database.
 */
export async function openStorage(
  { database, schema, tablePrefix }: Values,
  { made = false } = {},
): Promise<DatabaseStorage> {
  if (database === undefined) {
    throw new SettingsError(['a database is needed: --database, or TILLKIT_DATABASE'])
  }
  const { kind, address } = database
  const names = { ...(schema !== undefined && { schema }), ...(tablePrefix !== undefined && { tablePrefix }) }
  if (schema !== undefined && kind !== 'postgres') {
    throw new SettingsError(['--schema is for PostgreSQL'])
  }
  if (kind === 'sqlite' && !made && address !== ':memory:' && !existsSync(address)) {
    throw new Refused(`there is no database ${address}: tillkit migrate --database ${address} makes it`)
  }
  try {
    if (kind === 'sqlite') {
      const { sqliteStorage } = await import('@tillkit/storage-kysely/sqlite')
      return sqliteStorage({ file: address }, names)
    }
    if (kind === 'postgres') {
      const { postgresStorage } = await import('@tillkit/storage-kysely/postgres')
      return postgresStorage({ connectionString: address }, names)
    }
    const { mysqlStorage } = await import('@tillkit/storage-kysely/mysql')
    return mysqlStorage({ uri: address }, names)
  } catch (error) {
    throw new SettingsError([`the address of the database is wrong: ${(error as Error).message}`])
  }
}
