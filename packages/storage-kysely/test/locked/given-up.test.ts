import { afterEach, beforeEach, expect, test } from 'vitest'
import { DatabaseError } from '../../src/index.ts'
import { postgresStorage } from '../../src/postgres/index.ts'
import { storageAt } from '../engines/address.ts'
import type { TestDatabase } from '../engines/engine.ts'
import { overPostgres } from '../engines/index.ts'
import { postgresError } from '../faults/postgres-error.ts'
import { startProxy } from '../faults/proxy.ts'
import { byPort, openSession, type Session, serverOf } from '../faults/session.ts'
import { merchantId, openShop } from '../faults/shop.ts'

/** So short that calls are given up while the database is still at them. */
const HASTY = { lockTimeoutSeconds: 10, readTimeoutSeconds: 0.2 }

/** What a server is still at, that nobody waits for any more, has a connection of it: enough of them, and nobody gets in. */
overPostgres(({ create }) => {
  let database: TestDatabase
  let connectionString: string
  let place: { schema: string }
  let session: Session
  /** What a transaction has seen of other sessions stays as it was. */
  let watch: Session

  beforeEach(async () => {
    database = await create({ apart: true })
    if (database.address.dialect !== 'postgres') throw new Error('not PostgreSQL')
    connectionString = database.address.connectionString
    place = { schema: database.address.schema }
    const owner = storageAt(database.address)
    await owner.migrate()
    await openShop(owner)
    await owner.close()
    session = await openSession(database.address)
    watch = await openSession(database.address)
  })

  afterEach(async () => {
    await session.close()
    await watch.close()
    await database.drop()
  })

  const hindrances: [what: string, ...statements: string[]][] = [
    ['a locked table', 'begin', 'lock table tillkit_merchants'],
    [
      'a slow one',
      'alter table tillkit_merchants rename to quick',
      'create view tillkit_merchants as select quick.* from quick, pg_sleep(3600)',
    ],
  ]

  test.each(hindrances)('no session of its own pool stays at %s', async (_, ...statements) => {
    const storage = postgresStorage({ connectionString, ...HASTY }, place)
    // A busy machine may take longer than that to make a connection.
    while (!(await storage.merchants.get(merchantId).catch(() => null))) {}
    await session.run(`set search_path = "${place.schema}"`)
    for (const statement of statements) await session.run(statement)

    const reads = () =>
      Promise.allSettled(Array.from({ length: 10 }, () => storage.merchants.get(merchantId)))
    for (const read of [...(await reads()), ...(await reads())])
      expect(read).toMatchObject({ status: 'rejected', reason: expect.any(DatabaseError) })
    const others = `select pid from pg_stat_activity where datname = current_database() and state = 'active' and pid <> pg_backend_pid()
        and backend_type = 'client backend'`
    while ((await watch.run(others)).length > 0) {}
    await storage.close()
  })
  test('a server that cannot end them is used without that', async () => {
    const proxy = await startProxy(serverOf(database.address))
    const refused = postgresError('22023', 'client_connection_check_interval must be set to 0')
    proxy.answerBefore(/client_connection_check_interval/, refused, Number.POSITIVE_INFINITY)
    const storage = storageAt(byPort({ dialect: 'postgres', connectionString, ...place }, proxy.port))
    expect((await storage.merchants.get(merchantId))?.id).toBe(merchantId)
    await storage.close()
    await proxy.close()
  })
})
