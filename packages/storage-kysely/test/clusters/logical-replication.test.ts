import { type OwnServer, ownPostgres, until } from '@tillkit/servers'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { MigrateOptions } from '../../src/index.ts'
import { postgresStorage } from '../../src/postgres/index.ts'
import { blockOf } from '../by-hand-page.ts'
import { PATIENT } from '../engines/address.ts'
import { startedOr } from '../inspection/servers.ts'
import { moveUnderLoad } from './moving.ts'

const { server, why } = await startedOr(() => ownPostgres({ settings: { wal_level: 'logical' } }))

describe.skipIf(!server)(`a database that moves by logical replication${why}`, () => {
  const from = server as OwnServer
  let to: OwnServer
  beforeAll(async () => {
    to = await ownPostgres()
  })
  afterAll(async () => {
    await to?.remove()
    await from.remove()
  })

  /** A new database of a server, and the first column of what statements answer there, in order. */
  async function databaseAt({ url }: OwnServer, name: string) {
    const owner = new pg.Client({ connectionString: url })
    await owner.connect()
    await owner.query(`create database ${name}`)
    await owner.end()
    const connectionString = url.replace(/[^/]*$/, name)
    const client = new pg.Client({ connectionString })
    await client.connect()
    onTestFinished(() => client.end())
    const ask = async (statements: string[]) => {
      const answers: unknown[] = []
      for (const text of statements) {
        const { rows } = await client.query<unknown[]>({ text, rowMode: 'array' })
        answers.push(...rows.map(([first]) => first))
      }
      return answers
    }
    return { storage: () => postgresStorage({ connectionString, ...PATIENT }), ask }
  }

  test.each<[string, string, MigrateOptions, MigrateOptions]>([
    ['as it is', 'as_it_is', {}, {}],
    ['into partitions', 'into_partitions', {}, { partitions: 4 }],
    ['into more partitions', 'into_more', { partitions: 2 }, { partitions: 5 }],
    ['out of partitions', 'out_of_partitions', { partitions: 2 }, {}],
  ])('%s, while hosts go on', async (_, name, layout, asked) => {
    const [old, anew] = [await databaseAt(from, name), await databaseAt(to, name)]
    await moveUnderLoad({
      layout,
      old: old.storage,
      anew: anew.storage,
      async follow() {
        const storage = anew.storage()
        await storage.migrate(asked)
        await storage.close()
        await old.ask(blockOf('sql', 'published.sql'))
        const { hostname, port, username } = new URL(from.url)
        const connection = `host=${hostname} port=${port} user=${username} dbname=${name}`
        await anew.ask(blockOf('sql', 'subscribed.sql', { connection }))
        await until(async () => (await anew.ask(blockOf('sql', 'not-yet-copied.sql'))).length === 0)
      },
      async cutOver() {
        const position = `${(await old.ask(blockOf('sql', 'no-more-writes.sql', { database: name }))).at(-1)}`
        const caughtUp = blockOf('sql', 'caught-up.sql', { position })
        await until(async () => (await old.ask(caughtUp))[0] === true)
        await anew.ask(blockOf('sql', 'ended.sql'))
      },
    })
  })

  test('all tables are published but that of migrations', async () => {
    const { storage, ask } = await databaseAt(from, 'published')
    const owner = storage()
    await owner.migrate()
    await owner.close()
    await ask(blockOf('sql', 'published.sql'))
    const tables = `select tablename::text from pg_tables where schemaname = 'public' order by 1`
    const published = `select tablename::text from pg_publication_tables union select 'tillkit_migrations' order by 1`
    expect(await ask([published])).toEqual(await ask([tables]))
  })
})
