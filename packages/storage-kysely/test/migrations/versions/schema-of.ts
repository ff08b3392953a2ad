import { type Kysely, sql } from 'kysely'
import type { Address, HostTables } from '../../engines/address.ts'

/** The tables, columns and indexes, a line each, in a form that two databases of one engine can be compared by. */
export async function schemaOf(db: Kysely<HostTables>, { dialect }: Address): Promise<string[]> {
  const { rows } = await sql.raw<{ line: string }>(LINES[dialect]).execute(db)
  // What keeps migrations apart from each other is no part of what they make.
  return rows.map(({ line }) => line).filter(line => !/tillkit_migrations/.test(line))
}

const LINES = {
  sqlite: `select m.type || ' ' || m.name || ' ' || coalesce(m.sql, '') as line from sqlite_master as m where m.type = 'index'
    union all select m.name || '.' || c.name || ' ' || c.type || ' ' || c."notnull" || ' ' || coalesce(c.dflt_value, '')
      from sqlite_master as m, pragma_table_xinfo(m.name) as c where m.type = 'table'
    order by 1`,
  postgres: `select replace(indexdef, current_schema(), '') as line from pg_indexes where schemaname = current_schema()
    union all select 'invalid ' || c.relname from pg_index as x join pg_class as c on c.oid = x.indexrelid
      where c.relnamespace = (select oid from pg_namespace where nspname = current_schema()) and not x.indisvalid
    union all select concat_ws(' ', table_name, column_name, data_type, collation_name, is_nullable, column_default)
      from information_schema.columns where table_schema = current_schema()
    order by 1`,
  mysql: `select concat_ws(' ', table_name, index_name, non_unique, group_concat(column_name order by seq_in_index)) as line
      from information_schema.statistics where table_schema = database() group by table_name, index_name, non_unique
    union all select concat_ws(' ', table_name, column_name, column_type, collation_name, is_nullable, column_default, extra)
      from information_schema.columns where table_schema = database()
    order by 1`,
}
