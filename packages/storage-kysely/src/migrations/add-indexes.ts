import { sql } from 'kysely'
import { createIndex, type Index, wholeColumns } from './create-table.ts'
import type { MigrationContext } from './migration-context.ts'

/**
 * Adds indexes to a table of an earlier migration. MySQL commits after each statement, so that there an index may be
 * left from a migration that did not get to its end.
 */
export async function addIndexes(
  { db, dialect, named }: MigrationContext,
  table: string,
  indexes: Index[],
): Promise<void> {
  for (const index of indexes) {
    if (dialect.partialIndexes) {
      await createIndex(db, named, table, index)
      continue
    }
    const name = named(index.name)
    const { rows } = await sql`select 1 from information_schema.statistics
      where table_schema = database() and table_name = ${named(table)} and index_name = ${name} limit 1`.execute(
      db,
    )
    if (rows.length > 0) continue
    await db.schema.createIndex(name).on(named(table)).columns(wholeColumns(index)).execute()
  }
}
