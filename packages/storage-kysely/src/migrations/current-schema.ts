import { DatabaseError } from '@tillkit/storage'
import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialects/index.ts'
import { quoted } from '../schema/quoted.ts'

/**
 * Where PostgreSQL makes tables; left unsaid, those of another schema would be taken for this one's. Throws `DatabaseError` where the
 * session's statements mean tables in another one, further along its search path: they would mean new and empty ones from then on. And
 * where there is none to make them in.
 */
export async function currentSchema(
  db: Kysely<unknown>,
  { name }: Dialect,
  named: (table: string) => string,
): Promise<string | undefined> {
  if (name !== 'postgres') return undefined
  const { rows } = await sql<{ name: string | null; found: string | null }>`
    select current_schema() as name, (select nspname from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
      where c.oid = to_regclass(${quoted(named('ledgers'))})) as found`.execute(db)
  const { name: current, found } = rows[0] ?? {}
  if (!current) {
    throw new DatabaseError(
      'the search path leads to no schema that is there: make one, or name one with the option schema',
    )
  }
  if (found && found !== current) {
    throw new DatabaseError(
      `the search path leads to tables in ${found}, and new ones would be made in ${current}, which comes before it: name the one with the option schema`,
    )
  }
  return current
}
