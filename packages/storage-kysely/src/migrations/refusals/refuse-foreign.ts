import { DatabaseError } from '@tillkit/storage'
import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../../dialects/index.ts'
import type { Migrations } from '../migrations.ts'
import { findColumns } from '../tables/find-columns.ts'
import { type PlannedTable, plannedTables } from '../tables/planned-tables.ts'

/**
 * Throws `DatabaseError` where a table that a migration would make is there already and is not Tillkit's own. Nothing has
 * been made or changed then. Returns whether there are notes of what has been done.
 */
export async function refuseForeign(
  migrations: Migrations,
  db: Kysely<unknown>,
  dialect: Dialect,
  schema: string | undefined,
  named: (name: string) => string,
): Promise<boolean> {
  const planned = await plannedTables(migrations, dialect, named)
  const own = [
    { migration: '', table: named('migrations'), columns: ['name', 'timestamp'], added: [] },
    { migration: '', table: named('migrations_lock'), columns: ['id', 'is_locked'], added: ['leased_until'] },
  ]
  const names = [...planned, ...own].map(({ table }) => table)
  // The columns first: what another process makes between has been noted as done by the time that is asked.
  const found = await findColumns(db, dialect, schema, names)
  for (const one of own) if (!isSame(found.get(one.table), one)) throw foreign(one.table)
  const hasNotes = found.has(named('migrations'))
  const done = hasNotes ? await migrationsDone(db, schema, named) : new Set()
  for (const one of planned) {
    const { migration, table } = one
    if (done.has(migration) || !found.has(table)) continue
    // One that looks like ours is of a migration that has not got to its end; on SQLite it is done as a whole.
    const halfMade = dialect.name !== 'sqlite' && isSame(found.get(table), one)
    if (!halfMade) throw foreign(table)
  }
  return hasNotes
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
