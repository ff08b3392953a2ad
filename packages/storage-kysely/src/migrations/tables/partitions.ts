import { DatabaseError } from '@tillkit/storage'
import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../../dialects/index.ts'
import { refuse } from '../../schema/invalid-input.ts'
import type { MigrationContext } from '../migration.ts'
import { GROWING } from './growing.ts'

/** Throws `TillError` where that is no number of partitions. */
export function assertPartitions(partitions: unknown, { name }: Pick<Dialect, 'name'>): void {
  if (name === 'sqlite') refuse('partitions is an option of PostgreSQL and MariaDB, not of sqlite')
  if (!Number.isInteger(partitions) || Number(partitions) < 2 || Number(partitions) > 1024) {
    refuse('partitions must be a whole number from 2 to 1024')
  }
}

/**
 * In how many partitions tables are to be made: as many as those have that are there. Throws `DatabaseError` where that is
 * not what is wanted.
 */
export async function agreedPartitions(
  db: Kysely<unknown>,
  dialect: Dialect,
  place: { schema: string | undefined; table: string },
  wanted: number | undefined,
): Promise<number> {
  const found = dialect.name === 'sqlite' ? undefined : await partitionsOf(db, dialect, place)
  if (found === undefined || wanted === undefined || wanted === found) return found ?? wanted ?? 0
  const are = found === 0 ? 'in one piece' : `in ${found} partitions`
  throw new DatabaseError(
    `the tables are there already, ${are}, and are not made anew in ${wanted}: leave partitions out, or move what they hold to another database`,
  )
}

/** How many partitions a table has, none being 0; undefined where it is not there. */
async function partitionsOf(
  db: Kysely<unknown>,
  { name }: Dialect,
  { schema, table }: { schema: string | undefined; table: string },
): Promise<number | undefined> {
  type Row = { total: number | string }
  const query =
    name === 'postgres'
      ? sql<Row>`select (select count(*) from pg_inherits where inhparent = c.oid) as total
          from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
          where n.nspname = ${schema} and c.relname = ${table}`
      : sql<Row>`select count(partition_name) as total from information_schema.partitions
          where table_schema = database() and table_name = ${table} having count(*) > 0`
  const { rows } = await query.execute(db)
  return rows[0] && Number(rows[0].total)
}

/** What a table's definition ends with, where it grows and is laid out in partitions; null where it does not. */
export function partitioning({ dialect, partitions }: MigrationContext, table: string) {
  if (partitions === 0 || !GROWING.has(table)) return null
  return dialect.name === 'postgres'
    ? sql`partition by hash (merchant_id)`
    : sql`partition by key (merchant_id) partitions ${sql.lit(partitions)}`
}

/** Makes the partitions of a table that has none yet, on PostgreSQL, where each is a table of its own. */
export async function createPartitions(
  { db, dialect, schema, named, partitions }: MigrationContext,
  table: string,
): Promise<void> {
  if (dialect.name !== 'postgres' || !GROWING.has(table)) return
  const placed = (name: string) => (schema === undefined ? sql.id(named(name)) : sql.id(schema, named(name)))
  for (let n = 0; n < partitions; n++) {
    await sql`create table ${placed(`${table}_p${n}`)} partition of ${placed(table)}
      for values with (modulus ${sql.lit(partitions)}, remainder ${sql.lit(n)})`.execute(db)
  }
}
