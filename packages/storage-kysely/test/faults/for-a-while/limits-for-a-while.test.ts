import { beforeEach, expect, test } from 'vitest'
import { DatabaseError, type DatabaseStorage } from '../../../src/index.ts'
import { storageAt } from '../../engines/address.ts'
import { overEveryServer, overMariadb, overPostgres } from '../../engines/index.ts'
import { createUser } from '../../engines/user.ts'
import { openSession } from '../session.ts'
import { ALL, merchantId } from '../shop.ts'
import { databaseForAWhile, refusalOf, start } from './for-a-while.ts'

const { open, address, addressOf, pools, mysqlBeginning, ending, closing } = databaseForAWhile()

const run = async (...statements: string[]) => {
  const session = await openSession(address())
  for (const statement of statements) await session.run(statement)
  await session.close()
}

const WRITES: [name: string, write: (storage: DatabaseStorage) => Promise<unknown>][] = [
  ['a start', start],
  ['a transaction', storage => storage.transaction(start)],
]

/** Each write takes longer than the limit, which `lift` takes back: writes go well once each session has refused one. */
async function goWellAgain(
  storage: DatabaseStorage,
  write: (storage: DatabaseStorage) => Promise<unknown>,
  said: RegExp,
  lift: () => unknown,
): Promise<void> {
  // Each connection that there may be begins under the limit, which a busy machine meets here already.
  await Promise.allSettled(Array.from({ length: 10 }, () => storage.payments.list(merchantId, {}, ALL)))
  const refused = await refusalOf(write(storage))
  expect(refused).toBeInstanceOf(DatabaseError)
  expect(refused.message).toMatch(said)
  await lift()
  let refusals = 0
  while ((await refusalOf(write(storage))) && refusals < 20) refusals += 1
  expect(refusals).toBeLessThanOrEqual(10)
  const { total } = await storage.payments.list(merchantId, {}, ALL)
  expect(total).toBe(1)
}

overPostgres(({ create }) => {
  beforeEach(() => open(() => create({ apart: true })))

  for (const [kind, storageOf] of pools) {
    test.each(WRITES)(
      `%s goes well again once the database has no statement_timeout any more, by ${kind}`,
      async (_, write) => {
        const { connectionString, schema } = addressOf('postgres')
        const name = new URL(connectionString).pathname.slice(1)
        await run(
          `create function "${schema}".slow() returns trigger language plpgsql as
            $$ begin perform pg_sleep(0.5); return new; end $$`,
          `create trigger slow before update on "${schema}".tillkit_ledgers
            for each row execute function "${schema}".slow()`,
          `alter database "${name}" set statement_timeout = 250`,
        )
        await goWellAgain(storageOf(), write, /statement timeout/, () =>
          run(`alter database "${name}" reset all`),
        )
      },
    )
  }
})

overMariadb(({ create }) => {
  beforeEach(() => open(create))

  test.each(WRITES)(
    '%s goes well again once sessions no longer begin with a max_statement_time',
    async (_, write) => {
      await run('create trigger slow before update on tillkit_ledgers for each row do sleep(0.5)')
      const { storage, lift } = mysqlBeginning('set session max_statement_time = 0.25')
      await goWellAgain(storage, write, /max_statement_time exceeded/, lift)
    },
  )
})

overEveryServer(({ create, name }) => {
  beforeEach(() => open(create))

  test('calls wait for the few connections that a user may have, and one whose account is closed is told so', async () => {
    const user = await createUser(address(), 'select, insert, update, delete')
    ending(() => user.drop())
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
    const storage = closing(storageAt(user.address))
    const starts = await Promise.all(
      Array.from({ length: 20 }, () => [start(storage), storage.merchants.get(merchantId)]).flat(),
    )
    expect(starts).toHaveLength(40)
    await storage.close()

    await alter('nologin', 'account lock')
    const late = closing(storageAt(user.address))
    const refused = await late.merchants.get(merchantId).catch(error => error)
    expect(refused).toBeInstanceOf(DatabaseError)
    expect(refused.message).toMatch(/^the database refuses this user or password: .*(locked|log in)/)
  })
})
