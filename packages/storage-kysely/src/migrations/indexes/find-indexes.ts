import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../../dialects/index.ts'

interface Found {
  name: string
  valid: number
}

/** The indexes of those tables by their full names, and whether they are whole. */
export async function findIndexes(
  db: Kysely<unknown>,
  { name }: Dialect,
  schema: string | undefined,
  tables: string[],
): Promise<Map<string, { valid: boolean }>> {
  if (tables.length === 0) return new Map()
  const listed = sql.join(tables.map(table => sql.lit(table)))
  const query =
    name === 'sqlite'
      ? sql<Found>`select name as "name", 1 as "valid" from sqlite_master
          where type = 'index' and tbl_name collate nocase in (${listed})`
      : name === 'postgres'
        ? sql<Found>`select i.relname as "name", (x.indisvalid and x.indisready)::int as "valid" from pg_index as x
            join pg_class as i on i.oid = x.indexrelid join pg_class as t on t.oid = x.indrelid
            join pg_namespace as n on n.oid = t.relnamespace
            where n.nspname = ${sql.lit(schema)} and t.relname in (${listed})`
        : sql<Found>`select index_name as ${sql.ref('name')}, 1 as ${sql.ref('valid')}
            from information_schema.statistics
            where table_schema = database() and table_name in (${listed}) and seq_in_index = 1`
  const { rows } = await query.execute(db)
  return new Map(rows.map(({ name, valid }) => [name, { valid: Number(valid) === 1 }]))
}
