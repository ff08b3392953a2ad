import { DatabaseError } from '@tillkit/storage'
import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../../dialects/index.ts'
import { kindOf, refuse } from '../../schema/invalid-input.ts'
import type { MigrationContext } from '../migration.ts'
import { GROWING } from './growing.ts'

/** Throws `TillError` where that does not say whether tables are compressed. */
export function assertCompressed(compressed: unknown, { name }: Pick<Dialect, 'name'>): void {
  if (typeof compressed !== 'boolean') refuse(`compressed must be true or false, not ${kindOf(compressed)}`)
  if (compressed && name !== 'mysql') refuse(`compressed is an option of MariaDB, not of ${name}`)
}

/**
 * Whether tables are to be made with compressed pages: as those are that are there. Throws `DatabaseError` where that is not
 * what is wanted, or not to be had.
 */
export async function agreedCompression(
  db: Kysely<unknown>,
  { name }: Dialect,
  { table }: { table: string },
  wanted: boolean | undefined,
): Promise<boolean> {
  if (name !== 'mysql') return false
  const { rows } = await sql<{ options: string; version: string }>`
    select version() as version, (
      select create_options from information_schema.tables
        where table_schema = database() and table_name = ${table}
    ) as options`.execute(db)
  const { version = '', options = null } = rows[0] ?? {}
  if (wanted && !/mariadb/i.test(version)) {
    throw new DatabaseError(`compressed is an option of MariaDB, and this is MySQL ${version}: leave it out`)
  }
  const found = options === null ? undefined : /page_compressed\W+(1|on|yes)/i.test(options)
  if (found === undefined || wanted === undefined || wanted === found) return found ?? wanted ?? false
  throw new DatabaseError(
    `the tables are there already, ${found ? '' : 'not '}compressed, and are not made anew: leave compressed out, or move what they hold to another database`,
  )
}

/** What the options of a table say, where it grows and its pages are compressed; null where they are not. */
export function compression({ compressed }: MigrationContext, table: string) {
  return compressed && GROWING.has(table) ? sql`page_compressed = 1` : null
}
