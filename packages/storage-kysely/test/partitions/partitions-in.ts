import { type Kysely, sql } from 'kysely'
import type { Address, HostTables } from '../engines/address.ts'

/** How many partitions the tables have that have any. */
export async function partitionsIn(
  db: Kysely<HostTables>,
  { dialect }: Address,
): Promise<Map<string, number>> {
  if (dialect === 'sqlite') return new Map()
  type Row = { name: string; total: number | string }
  const query =
    dialect === 'postgres'
      ? sql<Row>`select parent.relname as name, count(*) as total from pg_inherits
          join pg_class as parent on parent.oid = inhparent
          join pg_namespace as place on place.oid = parent.relnamespace
          where parent.relkind = 'p' and place.nspname = current_schema() group by 1 order by 1`
      : sql<Row>`select table_name as name, count(*) as total from information_schema.partitions
          where table_schema = database() and partition_name is not null group by 1 order by 1`
  const { rows } = await query.execute(db)
  return new Map(rows.map(({ name, total }) => [name, Number(total)]))
}
