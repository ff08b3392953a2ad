import { type CreateTableBuilder, sql } from 'kysely'
import type { MigrationContext } from './migration-context.ts'
import { createPartitions, partitioning } from './partitions.ts'

/** An index beside the keys. */
export interface Index {
  name: string
  columns: string[]
  unique?: boolean
  /** The rows it holds, where the engine lets one leave rows out. */
  only?: { column: string; is: string } | 'those with the second column'
}

/**
 * Creates a table with its indexes. MySQL commits after each statement, so that there they are one; a table that is
 * already there was made by a migration that did not get to its end.
 */
export async function createTable<Table extends string, Columns extends string>(
  context: MigrationContext,
  name: string,
  define: (table: CreateTableBuilder<string, never>) => CreateTableBuilder<Table, Columns>,
  indexes: Index[] = [],
): Promise<void> {
  const { db, dialect, suffix, named } = context
  const table = define(db.schema.createTable(named(name)) as CreateTableBuilder<string, never>)
  const inPartitions = partitioning(context, name)
  if (dialect.partialIndexes) {
    await (inPartitions ? table.modifyEnd(inPartitions) : table).execute()
    await createPartitions(context, name)
    for (const index of indexes) await createIndex(db, named, name, index)
    return
  }
  let whole: CreateTableBuilder<string, string> = table.ifNotExists() as never
  for (const index of indexes) {
    const columns = wholeColumns(index)
    const indexName = named(index.name)
    whole = index.unique ? whole.addUniqueConstraint(indexName, columns) : whole.addIndex(indexName, columns)
  }
  const end = suffix && inPartitions ? sql`${suffix} ${inPartitions}` : suffix
  await (end ? whole.modifyEnd(end) : whole).execute()
}

/** The columns of an index that cannot leave rows out. */
export function wholeColumns({ columns, only }: Index): string[] {
  return typeof only === 'object' ? [only.column, ...columns] : columns
}

export async function createIndex(
  db: MigrationContext['db'],
  named: MigrationContext['named'],
  table: string,
  { name, columns, unique, only }: Index,
): Promise<void> {
  const plain = db.schema.createIndex(named(name)).on(named(table)).columns(columns)
  const index = unique ? plain.unique() : plain
  if (only === undefined) await index.execute()
  else if (typeof only === 'object') await index.where(sql.ref(only.column), '=', sql.lit(only.is)).execute()
  else await index.where(sql.ref(columns[1] ?? ''), 'is not', null).execute()
}
