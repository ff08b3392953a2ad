import { type CreateTableBuilder, sql } from 'kysely'
import { createIndex, type Index, wholeColumns } from '../indexes/index-of-table.ts'
import type { MigrationContext } from '../migration.ts'
import { compression } from './compression.ts'
import { createPartitions, partitioning } from './partitions.ts'

/** Creates a table with its indexes; one that is there already was made by a migration that did not get to its end. */
export async function createTable<Table extends string, Columns extends string>(
  context: MigrationContext,
  name: string,
  define: (table: CreateTableBuilder<string, never>) => CreateTableBuilder<Table, Columns>,
  indexes: Index[] = [],
): Promise<void> {
  const { db, dialect, suffix, named, columnsOf, made } = context
  for (const index of indexes) context.noteIndex?.({ table: name, ...index })
  const fullName = named(name)
  if ((await columnsOf(fullName)).length > 0) return
  made.add(fullName)
  context.begin?.(fullName)
  const table = define(db.schema.createTable(fullName) as CreateTableBuilder<string, never>)
  const ends = [suffix, compression(context, name), partitioning(context, name)].filter(end => end !== null)
  const end = ends.length > 0 && sql.join(ends, sql` `)
  if (dialect.partialIndexes) {
    await (end ? table.modifyEnd(end) : table).execute()
    await createPartitions(context, name)
    for (const index of indexes) await createIndex(db, named, name, index).execute()
    return
  }
  // MySQL commits after each statement, so that there they are one.
  let whole: CreateTableBuilder<string, string> = table.ifNotExists() as never
  for (const index of indexes) {
    const columns = wholeColumns(index)
    const indexName = named(index.name)
    whole = index.unique ? whole.addUniqueConstraint(indexName, columns) : whole.addIndex(indexName, columns)
  }
  await (end ? whole.modifyEnd(end) : whole).execute()
}
