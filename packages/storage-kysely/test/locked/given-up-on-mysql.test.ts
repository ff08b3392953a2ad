import { afterEach, beforeEach, expect, test } from 'vitest'
import { DatabaseError } from '../../src/index.ts'
import { storageAt } from '../engines/address.ts'
import type { TestDatabase } from '../engines/engine.ts'
import { overMysql } from '../engines/index.ts'
import { mysqlError } from '../faults/mysql-error.ts'
import { startProxy } from '../faults/proxy.ts'
import { byPort, openSession, PROCESSES, type Session, serverOf } from '../faults/session.ts'
import { merchantId, openShop } from '../faults/shop.ts'

/** So short that reads are given up while the database is still at them. */
const HASTY = { lockTimeoutSeconds: 10, readTimeoutSeconds: 0.5 }

/** How a server says that a statement took longer than it may: MariaDB, and MySQL. */
const OVER_TIME = [
  mysqlError(1969, '70100', 'Query execution was interrupted (max_statement_time exceeded)'),
  mysqlError(3024, 'HY000', 'Query execution was interrupted, maximum statement execution time exceeded'),
]

/** These servers do not look whether a client is still there: what is given up goes on until something ends it. */
overMysql(({ create }) => {
  let database: TestDatabase
  let session: Session

  beforeEach(async () => {
    database = await create()
    const owner = storageAt(database.address)
    await owner.migrate()
    await openShop(owner)
    await owner.close()
    session = await openSession(database.address)
  })

  afterEach(async () => {
    // What stays would keep its tables.
    for (const { id } of await others()) await session.run(`kill ${id}`)
    await session.close()
    await database.drop()
  })

  const others = () =>
    session.run(
      `select id from ${PROCESSES} where db = database() and command in ('Query', 'Execute') and id <> connection_id()`,
    )

  test('no session of its own pool stays at a read that was given up', async () => {
    const storage = storageAt(database.address, {}, HASTY)
    // A busy machine may take longer than that to make a connection.
    while (!(await storage.merchants.get(merchantId).catch(() => null))) {}
    await session.run('rename table tillkit_merchants to quick')
    await session.run('create table each_second (n int)')
    await session.run(
      `insert into each_second values ${Array.from({ length: 60 }, (_, n) => `(${n})`).join()}`,
    )
    // In one long sleep they look now and then.
    await session.run(
      `create view tillkit_merchants as
        select quick.* from quick, each_second as seconds, each_second as minutes where sleep(1) = 0`,
    )
    const reads = () => Promise.allSettled(Array.from({ length: 3 }, () => storage.merchants.get(merchantId)))
    for (const read of [...(await reads()), ...(await reads())])
      expect(read).toMatchObject({ status: 'rejected', reason: expect.any(DatabaseError) })
    while ((await others()).length > 0) {}
    await storage.close()
  })

  test('a read that the server ended by its limit is told as one that took too long', async () => {
    const proxy = await startProxy(serverOf(database.address))
    const storage = storageAt(byPort(database.address, proxy.port))
    expect((await storage.merchants.get(merchantId))?.id).toBe(merchantId)
    for (const answer of OVER_TIME) {
      // A statement of another form, which no session has prepared.
      proxy.answerBefore(/tillkit_api_keys/, answer)
      const error: unknown = await storage.apiKeys.findMerchant('none', null).catch(thrown => thrown)
      expect(error).toBeInstanceOf(DatabaseError)
      expect((error as DatabaseError).message).toMatch(
        /^the database did not answer within \d+(\.\d+)? seconds$/,
      )
    }
    await storage.close()
    await proxy.close()
  })
})
