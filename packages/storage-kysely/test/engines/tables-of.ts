import { type Kysely, sql } from 'kysely'
import type { Address } from './address.ts'

/**
 * The tables in a test's database, sorted. On PostgreSQL by its own schema: Kysely's introspection goes over the whole database and
 * stumbles over the schemas that other tests drop meanwhile.
 */
export const tablesOf = async <DB>(db: Kysely<DB>, { dialect }: Address): Promise<string[]> => {
  if (dialect !== 'postgres')
    return namesOf(await db.introspection.getTables({ withInternalKyselyTables: true }))
  const ofSchema = sql<{
    name: string
  }>`select tablename as name from pg_tables where schemaname = current_schema()`
  return namesOf((await ofSchema.execute(db)).rows)
}

const namesOf = (tables: readonly { name: string }[]) => tables.map(({ name }) => name).sort()
