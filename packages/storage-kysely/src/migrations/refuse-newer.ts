import { DatabaseError } from '@tillkit/storage'
import type { Kysely } from 'kysely'
import type { Dialect } from '../dialects/index.ts'
import { MIGRATIONS } from './migrations.ts'

/** Throws `DatabaseError` for a database that a newer version has been at. */
export async function refuseNewer(db: Kysely<unknown>, dialect: Dialect, table: string): Promise<void> {
  const rows = await (db as Kysely<Record<string, { name: string }>>)
    .selectFrom(table)
    .select('name')
    .orderBy('name')
    .execute()
    .catch(error => {
      if (dialect.isMissingTable(error)) return []
      throw error
    })
  assertKnown(rows.map(({ name }) => name))
}

/** The same for the names of what has been done. */
export function assertKnown(names: string[]): void {
  const unknown = names.find(name => !Object.hasOwn(MIGRATIONS, name))
  if (unknown === undefined) return
  throw new DatabaseError(`the database was written by a newer version of Tillkit (migration ${unknown})`)
}
