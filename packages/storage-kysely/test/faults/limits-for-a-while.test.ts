import mysql from 'mysql2'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DatabaseError, type DatabaseStorage } from '../../src/index.ts'
import { mysqlStorage } from '../../src/mysql/index.ts'
import { postgresStorage } from '../../src/postgres/index.ts'
import { PATIENT, storageAt } from '../engines/address.ts'
import type { TestDatabase } from '../engines/engine.ts'
import { overEveryServer, overMariadb, overPostgres } from '../engines/index.ts'
import { createUser } from '../engines/user.ts'
import { openSession } from './session.ts'
import { ALL, attempt, merchantId, NOW, openShop } from './shop.ts'

let database: TestDatabase
let ends: (() => Promise<unknown>)[]

const openDatabase = async (create: () => Promise<TestDatabase>) => {
  ends = []
  database = await create()
  const owner = storageAt(database.address)
  await owner.migrate()
  await openShop(owner)
  await owner.close()
}

afterEach(async () => {
  for (const end of ends.reverse()) await end()
  await database.drop()
})

const run = async (...statements: string[]) => {
  const session = await openSession(database.address)
  for (const statement of statements) await session.run(statement)
  await session.close()
}

const start = (storage: Pick<DatabaseStorage, 'payments'>) => storage.payments.start(attempt(), NOW)

const WRITES: [name: string, write: (storage: DatabaseStorage) => Promise<unknown>][] = [
  ['a start', start],
  ['a transaction', storage => storage.transaction(start)],
]

/** Each write takes longer than the limit, which `lift` takes back: writes go well once each session has refused one. */
async function goWellAgain(
  storage: DatabaseStorage,
  write: (storage: DatabaseStorage) => Promise<unknown>,
  said: RegExp,
  lift: () => Promise<void>,
): Promise<void> {
  const refusalOf = () =>
    write(storage).then(
      () => undefined,
      error => error,
    )
  // Each connection that there may be begins under the limit, which a busy machine meets here already.
  await Promise.allSettled(Array.from({ length: 10 }, () => storage.payments.list(merchantId, {}, ALL)))
  const refused = await refusalOf()
  expect(refused).toBeInstanceOf(DatabaseError)
  expect(refused.message).toMatch(said)
  await lift()
  let refusals = 0
  while ((await refusalOf()) && refusals < 20) refusals += 1
  expect(refusals).toBeLessThanOrEqual(10)
  const { total } = await storage.payments.list(merchantId, {}, ALL)
  expect(total).toBe(1)
}

overPostgres(({ create }) => {
  beforeEach(() => openDatabase(() => create({ apart: true })))

  const place = () => {
    if (database.address.dialect !== 'postgres') throw new Error('not PostgreSQL')
    return database.address
  }
  const own = () =>
    postgresStorage({ connectionString: place().connectionString, ...PATIENT }, { schema: place().schema })
  const hosted = () => {
    const pool = new pg.Pool({ connectionString: place().connectionString })
    ends.push(() => pool.end())
    return postgresStorage({ pool, ...PATIENT }, { schema: place().schema })
  }

  for (const [kind, open] of [
    ['its own pool', own],
    ['a pool of the host’s', hosted],
  ] as const) {
    test.each(WRITES)(
      `%s goes well again once the database has no statement_timeout any more, by ${kind}`,
      async (_, write) => {
        const { connectionString, schema } = place()
        const name = new URL(connectionString).pathname.slice(1)
        await run(
          `create function "${schema}".slow() returns trigger language plpgsql as
            $$ begin perform pg_sleep(0.5); return new; end $$`,
          `create trigger slow before update on "${schema}".tillkit_ledgers
            for each row execute function "${schema}".slow()`,
          `alter database "${name}" set statement_timeout = 250`,
        )
        const storage = open()
        ends.push(() => storage.close())
        await goWellAgain(storage, write, /statement timeout/, () =>
          run(`alter database "${name}" reset all`),
        )
      },
    )
  }
})

overMariadb(({ create }) => {
  beforeEach(() => openDatabase(create))

  test.each(WRITES)(
    '%s goes well again once sessions no longer begin with a max_statement_time',
    async (_, write) => {
      if (database.address.dialect !== 'mysql') throw new Error('not MariaDB')
      await run('create trigger slow before update on tillkit_ledgers for each row do sleep(0.5)')
      let limited = true
      const pool = mysql.createPool({ uri: database.address.uri, charset: 'utf8mb4' })
      // As `set global max_statement_time = 0.25` has it, which would be all tests'.
      pool.on('connection', client => {
        if (limited) client.query('set session max_statement_time = 0.25')
      })
      ends.push(() => new Promise(resolve => pool.end(resolve)))
      const storage = mysqlStorage({ pool, ...PATIENT })
      ends.push(() => storage.close())
      await goWellAgain(storage, write, /max_statement_time exceeded/, async () => {
        limited = false
      })
    },
  )
})

overEveryServer(({ create, name }) => {
  beforeEach(() => openDatabase(create))

  test('calls wait for the few connections that a user may have, and one whose account is closed is told so', async () => {
    const user = await createUser(database.address, 'select, insert, update, delete')
    ends.push(() => user.drop())
    const url = new URL(
      'uri' in user.address
        ? user.address.uri
        : 'connectionString' in user.address
          ? user.address.connectionString
          : '',
    )
    const alter = (postgres: string, mysql: string) =>
      run(
        name === 'PostgreSQL'
          ? `alter role "${url.username}" ${postgres}`
          : `alter user '${url.username}'@'%' ${mysql}`,
      )
    await alter('connection limit 2', 'with max_user_connections 2')
    const storage = storageAt(user.address)
    ends.push(() => storage.close())
    const starts = await Promise.all(
      Array.from({ length: 20 }, () => [start(storage), storage.merchants.get(merchantId)]).flat(),
    )
    expect(starts).toHaveLength(40)
    await storage.close()

    await alter('nologin', 'account lock')
    const late = storageAt(user.address)
    ends.push(() => late.close())
    const refused = await late.merchants.get(merchantId).catch(error => error)
    expect(refused).toBeInstanceOf(DatabaseError)
    expect(refused.message).toMatch(/^the database refuses this user or password: .*(locked|log in)/)
  })
})
