import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Dialect, DialectName } from '../../dialects/dialect.ts'
import { asNamed } from '../../migrations/tables/as-named.ts'
import type { Column } from '../../migrations/tables/planned-tables.ts'
import { isSet } from '../../schema/is-set.ts'
import type { Flag } from '../../schema/tables.ts'

/** A column as it is, its type in the engine's words: what it holds, how that compares, and whether the engine writes it by itself. */
export interface DescribedColumn extends Column {
  table: string
}

interface Found extends Omit<DescribedColumn, 'nullable' | 'hasDefault'> {
  nullable: Flag
  hasDefault: Flag
  folds: Flag
}

/** The columns of those of the tables that are tables, and no views. */
export async function describeColumns(
  db: Kysely<unknown>,
  { name }: Dialect,
  schema: string | undefined,
  tables: string[],
): Promise<DescribedColumn[]> {
  if (tables.length === 0) return []
  const listed = sql.join(tables.map(table => sql.lit(table)))
  const { rows } = await QUERIES[name](listed, schema).execute(db)
  const named = asNamed(tables, isSet(rows[0]?.folds))
  return rows.flatMap(({ folds: _, ...row }) => {
    const table = named(row.table)
    if (table === undefined) return []
    return [{ ...row, table, nullable: isSet(row.nullable), hasDefault: isSet(row.hasDefault) }]
  })
}

const QUERIES: Record<
  DialectName,
  (listed: RawBuilder<unknown>, schema: string | undefined) => RawBuilder<Found>
> = {
  // How a column compares SQLite tells of the indexes alone: of keys, and of those that are called after the table, as ours are.
  sqlite: listed => sql`
    select m.name as "table", 1 as "folds", c.name as "name", not c."notnull" as "nullable",
      c.dflt_value is not null or c.hidden in (2, 3) as "hasDefault",
      coalesce(nullif(c.type, ''), 'blob') || coalesce(' collate ' || (
          select max(x.coll) from pragma_index_list(m.name) as i, pragma_index_xinfo(i.name) as x
          where x.cid = c.cid and x.coll <> 'BINARY' and (i.origin <> 'c' or instr(i.name, m.name) = 1)), '')
        || case when c.hidden in (2, 3) then ' generated' else '' end as "type"
    from sqlite_master as m, pragma_table_xinfo(m.name) as c
    where m.type = 'table' and m.name collate nocase in (${listed}) order by m.name, c.cid`,
  postgres: (listed, schema) => sql`
    select c.relname as "table", 0 as "folds", a.attname as "name", (not a.attnotnull)::int as "nullable",
      (a.atthasdef or a.attidentity <> '')::int as "hasDefault",
      format_type(a.atttypid, a.atttypmod) || coalesce(' collate ' || quote_ident(l.collname), '')
        || case when a.attgenerated <> '' or a.attidentity = 'a' then ' generated' else '' end as "type"
    from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
    join pg_attribute as a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_collation as l on l.oid = a.attcollation
    where n.nspname = ${sql.lit(schema)} and c.relkind in ('r', 'p') and c.relname in (${listed})
    order by c.relname, a.attnum`,
  mysql: listed => sql`
    select table_name as ${sql.ref('table')}, @@lower_case_table_names <> 0 as ${sql.ref('folds')},
      column_name as ${sql.ref('name')}, is_nullable = 'YES' as ${sql.ref('nullable')},
      column_default is not null or extra like '% GENERATED%' or extra like '%auto_increment%' as ${sql.ref('hasDefault')},
      concat(column_type, case when extra like '%on update%' then ' on update current_timestamp' when extra like '% GENERATED%'
        then ' generated' else '' end) as ${sql.ref('type')}
    from information_schema.columns where table_schema = database() and table_name in (${listed})
      and table_name not in (select table_name from information_schema.views where table_schema = database())
    order by table_name, ordinal_position`,
}
