import { type CreateIndexBuilder, type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'

/** An index beside the keys. */
export interface Index {
  name: string
  /** What it holds before its columns, where the engine has partial indexes. */
  expression?: RawBuilder<unknown>
  columns: string[]
  /** What it holds after them, where the engine has partial indexes. */
  last?: RawBuilder<unknown>
  unique?: boolean
  /** The rows it holds, where the engine lets one leave rows out. */
  only?: { column: string; is: string } | 'those with the second column' | RawBuilder<SqlBool>
}

/** The columns of an index that cannot leave rows out. */
export function wholeColumns({ columns, only }: Index): string[] {
  return typeof only === 'object' && 'column' in only ? [only.column, ...columns] : columns
}

/** The statement that makes it, where an index may leave rows out. */
export function createIndex(
  db: Kysely<unknown>,
  named: (name: string) => string,
  table: string,
  { name, expression, columns, last, unique, only }: Index,
): CreateIndexBuilder<string> {
  const on = db.schema.createIndex(named(name)).on(named(table))
  const held = (expression ? on.expression(expression) : on).columns(columns)
  const whole = last ? held.expression(last) : held
  const index = (unique ? whole.unique() : whole) as CreateIndexBuilder<string>
  if (only === undefined) return index
  if (only === 'those with the second column') return index.where(sql.ref(columns[1] ?? ''), 'is not', null)
  return 'column' in only ? index.where(sql.ref(only.column), '=', sql.lit(only.is)) : index.where(only)
}
