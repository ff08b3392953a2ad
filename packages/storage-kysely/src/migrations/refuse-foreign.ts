import { DatabaseError } from '@tillkit/storage'
import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialects/index.ts'
import { type PlannedTable, plannedTables } from './planned-tables.ts'

interface Found {
  name: string
  column: string
}

/**
 * Throws `DatabaseError` where a table that a migration would make is there already and is not Tillkit's own. Nothing has
 * been made or changed then.
 */
export async function refuseForeign(
  db: Kysely<unknown>,
  dialect: Dialect,
  schema: string | undefined,
  named: (name: string) => string,
): Promise<void> {
  const planned = await plannedTables(dialect, named)
  const own = [
    { migration: '', table: named('migrations'), columns: ['name', 'timestamp'], added: [] },
    { migration: '', table: named('migrations_lock'), columns: ['id', 'is_locked'], added: [] },
  ]
  const names = [...planned, ...own].map(({ table }) => table)
  // The columns first: what another process makes between has been noted as done by the time that is asked.
  const found = columnsByTable(await findColumns(db, dialect, schema, names))
  for (const one of own) if (!isSame(found.get(one.table), one)) throw foreign(one.table)
  const done = found.has(named('migrations')) ? await migrationsDone(db, schema, named) : new Set()
  for (const one of planned) {
    const { migration, table } = one
    if (done.has(migration) || !found.has(table)) continue
    // MySQL commits each table by itself: one that looks like ours is of a migration that did not get to its end.
    const halfMade = dialect.name === 'mysql' && isSame(found.get(table), one)
    if (!halfMade) throw foreign(table)
  }
}

function foreign(table: string): DatabaseError {
  return new DatabaseError(
    `the database has a table ${table} already, which is not Tillkit's: choose another tablePrefix, or another schema`,
  )
}

/** True where there is no such table, or one with these columns, and perhaps some that are added later. */
function isSame(
  found: string[] | undefined,
  { columns, added }: Pick<PlannedTable, 'columns' | 'added'>,
): boolean {
  if (found === undefined) return true
  const rest = found.filter(name => !added.includes(name))
  return rest.length === columns.length && columns.every(name => rest.includes(name))
}

async function migrationsDone(
  db: Kysely<unknown>,
  schema: string | undefined,
  named: (name: string) => string,
): Promise<Set<string>> {
  const table = schema === undefined ? sql.table(named('migrations')) : sql.id(schema, named('migrations'))
  const { rows } = await sql<{ name: string }>`select name from ${table}`.execute(db)
  return new Set(rows.map(({ name }) => name))
}

async function findColumns(
  db: Kysely<unknown>,
  { name }: Dialect,
  schema: string | undefined,
  tables: string[],
): Promise<Found[]> {
  const listed = sql.join(tables.map(table => sql.lit(table)))
  const inSchema = schema === undefined ? sql`database()` : sql.lit(schema)
  const query =
    name === 'sqlite'
      ? sql<Found>`select lower(m.name) as "name", c.name as "column"
          from sqlite_master as m, pragma_table_xinfo(m.name) as c
          where m.type in ('table', 'view') and m.name collate nocase in (${listed})`
      : name === 'postgres'
        ? sql<Found>`select c.relname as "name", a.attname as "column" from pg_class as c
            join pg_namespace as n on n.oid = c.relnamespace
            left join pg_attribute as a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
            where n.nspname = ${inSchema} and c.relkind in ('r', 'p', 'v', 'm', 'f') and c.relname in (${listed})`
        : sql<Found>`select table_name as ${sql.ref('name')}, column_name as ${sql.ref('column')}
            from information_schema.columns where table_schema = ${inSchema} and table_name in (${listed})`
  const { rows } = await query.execute(db)
  // SQLite takes Payments and payments for the same.
  const fold = (table: string) => (name === 'sqlite' ? table.toLowerCase() : table)
  const asNamed = new Map(tables.map(table => [fold(table), table]))
  return rows.flatMap(row => {
    const table = asNamed.get(fold(row.name))
    return table === undefined ? [] : [{ ...row, name: table }]
  })
}

function columnsByTable(found: Found[]): Map<string, string[]> {
  const tables = new Map<string, string[]>()
  for (const { name, column } of found) tables.set(name, [...(tables.get(name) ?? []), column])
  return tables
}
