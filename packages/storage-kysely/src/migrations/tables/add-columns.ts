import { sql } from 'kysely'
import type { Dialect } from '../../dialects/dialect.ts'
import type { MigrationContext } from '../migration.ts'

/** A column that may be null, or, where it is `zero`, a number that begins at 0: rows that leave it out are right. */
interface AddedColumn {
  name: string
  type: Dialect['types']['integer']
  zero?: boolean
}

/** Adds columns to a table of an earlier migration; one that is there is of a migration that did not get to its end. */
export async function addColumns(
  { db, named, columnsOf, begin }: MigrationContext,
  table: string,
  columns: AddedColumn[],
): Promise<void> {
  const there = await columnsOf(named(table))
  for (const { name, type, zero } of columns) {
    if (there.includes(name)) continue
    begin?.(named(table))
    await db.schema
      .alterTable(named(table))
      .addColumn(name, type, column => (zero ? column.notNull().defaultTo(sql.lit(0)) : column))
      .execute()
  }
}
