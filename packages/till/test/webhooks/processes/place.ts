import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PATIENT, placeName } from '@tillkit/servers'
import { postgresStorage } from '@tillkit/storage-kysely/postgres'
import { sqliteStorage } from '@tillkit/storage-kysely/sqlite'
import pg from 'pg'

/** Where a database is, as plain data, so that another process can be told. */
export type Place = { file: string } | { connectionString: string; schema: string }

const POSTGRES = process.env.TILLKIT_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/test'

export function openStorage(place: Place) {
  if ('file' in place) return sqliteStorage(place)
  const { connectionString, schema } = place
  return postgresStorage({ connectionString, ...PATIENT }, { schema })
}

/** An engine that deliveries are tested over, or why it cannot be had here. */
export interface Engine {
  name: string
  unavailable?: string | undefined
  create(): Promise<{ place: Place; drop(): Promise<void> }>
}

const sqlite: Engine = {
  name: 'SQLite',
  async create() {
    const folder = await mkdtemp(join(tmpdir(), 'tillkit-webhooks-'))
    return {
      place: { file: join(folder, 'till.db') },
      drop: () => rm(folder, { recursive: true, force: true }),
    }
  },
}

async function run(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: POSTGRES })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

async function postgres(): Promise<Engine> {
  const unavailable = await run('select 1').then(
    () => undefined,
    error => `no server answers: ${error.code ?? error.message}`,
  )
  return {
    name: 'PostgreSQL',
    unavailable,
    async create() {
      const schema = placeName()
      await run(`create schema "${schema}"`)
      return {
        place: { connectionString: POSTGRES, schema },
        drop: () => run(`drop schema "${schema}" cascade`),
      }
    },
  }
}

export const ENGINES: readonly Engine[] = [sqlite, await postgres()]
