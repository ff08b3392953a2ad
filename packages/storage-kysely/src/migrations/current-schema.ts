import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialects/index.ts'

/** Where PostgreSQL makes tables; left unsaid, those of another schema would be taken for this one's. */
export async function currentSchema(db: Kysely<unknown>, { name }: Dialect): Promise<string | undefined> {
  if (name !== 'postgres') return undefined
  const { rows } = await sql<{ name: string | null }>`select current_schema() as name`.execute(db)
  return rows[0]?.name ?? undefined
}
