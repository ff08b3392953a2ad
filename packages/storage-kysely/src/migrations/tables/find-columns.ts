import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../../dialects/index.ts'
import { isSet } from '../../schema/is-set.ts'
import { asNamed } from './as-named.ts'

interface Found {
  name: string
  column: string
  folds: number
}

/** The columns of those of the tables that are there, in no order. */
export async function findColumns(
  db: Kysely<unknown>,
  { name }: Dialect,
  schema: string | undefined,
  tables: string[],
): Promise<Map<string, string[]>> {
  const listed = sql.join(tables.map(table => sql.lit(table)))
  const inSchema = schema === undefined ? sql`database()` : sql.lit(schema)
  const query =
    name === 'sqlite'
      ? sql<Found>`select m.name as "name", c.name as "column", 1 as "folds"
          from sqlite_master as m, pragma_table_xinfo(m.name) as c
          where m.type in ('table', 'view') and m.name collate nocase in (${listed})`
      : name === 'postgres'
        ? sql<Found>`select c.relname as "name", a.attname as "column", 0 as "folds" from pg_class as c
            join pg_namespace as n on n.oid = c.relnamespace
            left join pg_attribute as a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
            where n.nspname = ${inSchema} and c.relkind in ('r', 'p', 'v', 'm', 'f') and c.relname in (${listed})`
        : sql<Found>`select table_name as ${sql.ref('name')}, column_name as ${sql.ref('column')},
              @@lower_case_table_names <> 0 as ${sql.ref('folds')}
            from information_schema.columns where table_schema = ${inSchema} and table_name in (${listed})`
  const { rows } = await query.execute(db)
  const named = asNamed(tables, isSet(rows[0]?.folds))
  const columns = new Map<string, string[]>()
  for (const { name, column } of rows) {
    const table = named(name)
    if (table !== undefined) columns.set(table, [...(columns.get(table) ?? []), column])
  }
  return columns
}
