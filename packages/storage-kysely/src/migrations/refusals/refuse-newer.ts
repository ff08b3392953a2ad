import { DatabaseError } from '@tillkit/storage'
import type { Kysely } from 'kysely'
import type { Dialect } from '../../dialects/index.ts'
import { correctionOf, type Migrations } from '../migrations.ts'

/** What has been done, by its name, and when it was noted. */
export type Notes = ReadonlyMap<string, string>

/** What has been noted, in order; nothing where there are no tables yet. */
export async function readNotes(db: Kysely<unknown>, dialect: Dialect, table: string): Promise<Notes> {
  const rows = await (db as Kysely<Record<string, { name: string; timestamp: string }>>)
    .selectFrom(table)
    .select(['name', 'timestamp'])
    .orderBy('name')
    .execute()
    .catch(error => {
      if (dialect.isMissingTable(error)) return []
      throw error
    })
  return new Map(rows.map(({ name, timestamp }) => [name, timestamp]))
}

/** The same. Throws `DatabaseError` for a database that a newer version has been at. */
export async function refuseNewer(
  known: Migrations,
  db: Kysely<unknown>,
  dialect: Dialect,
  table: string,
): Promise<Notes> {
  const notes = await readNotes(db, dialect, table)
  assertKnown([...notes.keys()], known)
  return notes
}

/** The same for the names of what has been done. */
export function assertKnown(names: string[], known: Migrations): void {
  const unknown = names.find(name => !isKnown(name, known))
  if (unknown === undefined) return
  throw new DatabaseError(`the database was written by a newer version of Tillkit (migration ${unknown})`)
}

/** Whether what has that name is a migration of those, or the correction of one. */
export function isKnown(name: string, known: Migrations): boolean {
  return (
    Object.hasOwn(known, name) ||
    Object.entries(known).some(
      ([migration, { correction }]) => correction && correctionOf(migration) === name,
    )
  )
}
