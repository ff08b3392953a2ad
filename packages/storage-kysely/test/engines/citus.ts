import { placeName } from '@tillkit/servers'
import pg from 'pg'
import { migrateTo } from '../../src/migrations/migrate.ts'
import { type PostgresStorage, postgresStorage } from '../../src/postgres/index.ts'
import { hostDatabaseAt, PATIENT } from './address.ts'
import type { TestDatabase } from './engine.ts'

/** A coordinator with workers; nothing starts one here. */
const GIVEN = process.env.TILLKIT_CITUS_URL

/** Few shards are made and dropped in less time, and lie at both of two workers all the same. */
const SHARDS = 4

export const citusUrl: string | undefined = GIVEN && withShards(GIVEN, SHARDS)

function withShards(given: string, shards: number): string {
  const url = new URL(given)
  url.searchParams.set('options', `-c citus.shard_count=${shards}`)
  return url.href
}

/** What a coordinator answers. */
export async function askCitus(statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: citusUrl })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

interface OnCitus extends TestDatabase {
  storage: PostgresStorage
  connectionString: string
  schema: string
}

/** A schema of the test's own, whose sessions have its name, with tables as they are anywhere, of an earlier version where one is named. */
export async function createInPlain(version?: string, shards: number = SHARDS): Promise<OnCitus> {
  const schema = placeName()
  await askCitus(`create schema "${schema}"`)
  const url = new URL(withShards(GIVEN ?? '', shards))
  url.searchParams.set('application_name', schema)
  const connectionString = url.href
  const storage = postgresStorage({ connectionString, ...PATIENT }, { schema })
  const address = { dialect: 'postgres', connectionString, schema } as const
  if (version === undefined) await storage.migrate()
  else {
    const db = hostDatabaseAt(address)
    await migrateTo(db, 'postgres', { schema }, version).finally(() => db.destroy())
  }
  return {
    address,
    storage,
    connectionString,
    schema,
    async drop() {
      await storage.close()
      await askCitus(`drop schema "${schema}" cascade`)
    },
  }
}

/** The same with tables that are distributed, in so many shards. */
export async function createOnCitus(shards: number = SHARDS): Promise<OnCitus> {
  const created = await createInPlain(undefined, shards)
  await created.storage.distribute()
  return created
}
