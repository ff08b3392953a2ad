import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Dialect, DialectName } from '../../dialects/dialect.ts'
import { isSet } from '../../schema/is-set.ts'
import { asNamed } from '../tables/as-named.ts'

/** An index as it is, those of keys too. */
export interface FoundIndex {
  table: string
  name: string
  /** Whether it has been built to its end. */
  valid: boolean
  /** On PostgreSQL alone: whether it is but those of its table's partitions. */
  partitioned: boolean
  /** Whether no two rows may have the same, at any moment. */
  unique: boolean
  /** Null for what is no whole column. */
  columns: (string | null)[]
  /** Which rows it holds, as the engine words it; null for all. */
  where: string | null
  /** On PostgreSQL alone: the constraint that it goes with. */
  constraint: 'primary' | 'other' | null
}

/** A column of an index. */
interface Found extends Omit<FoundIndex, 'valid' | 'partitioned' | 'unique' | 'columns'> {
  valid: number
  partitioned: number
  unique: number
  column: string | null
  folds: number
}

/** The indexes of those tables, which are called as they are here, by their full names. */
export async function findIndexes(
  db: Kysely<unknown>,
  { name }: Dialect,
  schema: string | undefined,
  tables: string[],
): Promise<FoundIndex[]> {
  if (tables.length === 0) return []
  const listed = sql.join(tables.map(table => sql.lit(table)))
  const { rows } = await QUERIES[name](listed, schema).execute(db)
  const found = new Map<string, FoundIndex>()
  const named = asNamed(tables, isSet(rows[0]?.folds))
  for (const { folds: _, valid, partitioned, unique, column, ...row } of rows) {
    const table = named(row.table)
    if (table === undefined) continue
    const key = `${row.table}/${row.name}`
    const index = found.get(key) ?? {
      ...{
        ...row,
        table,
        valid: isSet(valid),
        partitioned: isSet(partitioned),
        unique: isSet(unique),
        columns: [],
      },
    }
    index.columns.push(column)
    found.set(key, index)
  }
  return [...found.values()]
}

type Query = (listed: RawBuilder<unknown>, schema: string | undefined) => RawBuilder<Found>

const QUERIES: Record<DialectName, Query> = {
  sqlite: listed => sql`
    select m.name as "table", 1 as "folds", i.name as "name", 1 as "valid", 0 as "partitioned", i."unique" as "unique", c.name as "column",
      (select substr(d.sql, instr(lower(d.sql), ' where ') + 7) from sqlite_master as d
        where i.partial and d.type = 'index' and d.name = i.name) as "where", null as "constraint"
    from sqlite_master as m, pragma_index_list(m.name) as i, pragma_index_xinfo(i.name) as c
    where m.type = 'table' and m.name collate nocase in (${listed}) and c."key" order by m.name, i.name, c.seqno`,
  postgres: (listed, schema) => sql`
    select t.relname as "table", 0 as "folds", i.relname as "name", (x.indisvalid and x.indisready)::int as "valid",
      (i.relkind = 'I')::int as "partitioned",
      (x.indisunique and x.indimmediate)::int as "unique", a.attname as "column",
      pg_get_expr(x.indpred, x.indrelid) as "where",
      (select case contype when 'p' then 'primary' else 'other' end from pg_constraint
        where conindid = x.indexrelid and contype in ('p', 'u', 'x')) as "constraint"
    from pg_index as x join pg_class as i on i.oid = x.indexrelid join pg_class as t on t.oid = x.indrelid
    join pg_namespace as n on n.oid = t.relnamespace
    cross join generate_series(0, x.indnkeyatts - 1) as k(at)
    left join pg_attribute as a on a.attrelid = x.indrelid and a.attnum = x.indkey[k.at]
    where n.nspname = ${sql.lit(schema)} and t.relname in (${listed}) order by t.relname, i.relname, k.at`,
  mysql: listed => sql`
    select table_name as ${sql.ref('table')}, @@lower_case_table_names <> 0 as ${sql.ref('folds')}, index_name as ${sql.ref('name')}, 1 as ${sql.ref('valid')},
      0 as ${sql.ref('partitioned')},
      non_unique = 0 as ${sql.ref('unique')}, null as ${sql.ref('where')}, null as ${sql.ref('constraint')},
      case when sub_part is null then column_name end as ${sql.ref('column')}
    from information_schema.statistics
    where table_schema = database() and table_name in (${listed}) order by table_name, index_name, seq_in_index`,
}
