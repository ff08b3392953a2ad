import { sql } from 'kysely'
import type { Dialect } from '../dialects/dialect.ts'
import type { MigrationContext } from './migration-context.ts'

/** A column that may be null, or, where it is `zero`, a number that begins at 0: rows that leave it out are right. */
interface AddedColumn {
  name: string
  type: Dialect['types']['integer']
  zero?: boolean
}

/**
 * Adds columns to a table of an earlier migration. MySQL commits after each statement, so that there a column may be left
 * from a migration that did not get to its end.
 */
export async function addColumns(
  { db, dialect, named }: MigrationContext,
  table: string,
  columns: AddedColumn[],
): Promise<void> {
  for (const { name, type, zero } of columns) {
    if (dialect.name === 'mysql') {
      const { rows } = await sql`select 1 from information_schema.columns
        where table_schema = database() and table_name = ${named(table)} and column_name = ${name}`.execute(
        db,
      )
      if (rows.length > 0) continue
    }
    await db.schema
      .alterTable(named(table))
      .addColumn(name, type, column => (zero ? column.notNull().defaultTo(sql.lit(0)) : column))
      .execute()
  }
}
