import { type DatabaseConnection, type Kysely, sql, type Transaction } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DatabaseError, kyselyStorage } from '../../src/index.ts'
import { type HostTables, hostDatabaseAt, PATIENT, placeOf } from '../engines/address.ts'
import { inAShop, type Shop } from '../engines/in-a-shop.ts'
import { overEveryEngine, overMysql } from '../engines/index.ts'
import { sqlite } from '../engines/sqlite.ts'
import { mysqlError } from '../faults/mysql-error.ts'
import { startProxy } from '../faults/proxy.ts'
import { byPort, serverOf } from '../faults/session.ts'
import { ALL, attempt, merchantId, NOW } from '../faults/shop.ts'

const ENDED = /^the transaction has ended, and nothing of this call was done/

/** The host's own Kysely, and its transactions as Tillkit takes them. */
function aHost(shop: Shop) {
  const host = {} as { db: Kysely<HostTables> }
  beforeEach(() => {
    host.db = hostDatabaseAt(shop.database.address)
  })
  afterEach(() => host.db.destroy())
  const inside = (trx: Transaction<HostTables>) => {
    const { address } = shop.database
    return kyselyStorage(trx, address.dialect, { ...PATIENT, ...placeOf(address) })
  }
  const start = (trx: Transaction<HostTables>) => inside(trx).payments.start(attempt(), NOW)
  const taken = async () => (await shop.storage.payments.list(merchantId, {}, ALL)).total
  return { host, inside, start, taken }
}

overEveryEngine(({ create }) => {
  const shop = inAShop(create)
  const { host, start, taken } = aHost(shop)

  test('a first call is refused where the host has ended the transaction before it', async () => {
    let told: unknown
    const work = host.db.transaction().execute(async trx => {
      await sql`rollback`.execute(trx)
      told = await start(trx).catch(error => error.message)
    })
    await Promise.allSettled([work])
    expect(told).toMatch(ENDED)
    expect(await taken()).toBe(0)
  })

  test('a connection is left as it was, and what the host has put around it meanwhile stays', async () => {
    const connectionOf = (db: Kysely<HostTables>) =>
      db.getExecutor().provideConnection(async (connection: DatabaseConnection) => connection)
    // One pool of several hands out again the one that came back last, or the only one that it has made.
    const connection = await connectionOf(host.db)
    const before = connection.executeQuery
    const used = new Set<DatabaseConnection>()
    const transaction = (work: (trx: Transaction<HostTables>) => Promise<unknown>) =>
      host.db.transaction().execute(async trx => {
        used.add(await connectionOf(trx))
        await start(trx)
        await work(trx)
      })
    await transaction(async () => {})
    expect(connection.executeQuery).toBe(before)
    await expect(transaction(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(connection.executeQuery).toBe(before)

    let around: typeof before = before
    await transaction(async () => {
      const own = connection.executeQuery
      around = own.bind(connection)
      connection.executeQuery = around
    })
    expect(connection.executeQuery).toBe(around)
    expect([...used]).toEqual([connection])
    expect(await taken()).toBe(2)
  })
})

describe(sqlite.name, () => {
  const shop = inAShop(sqlite.create)
  const { host, inside, start, taken } = aHost(shop)

  test('nothing is written once an error has undone the transaction, whosever statement it answered', async () => {
    // As SQLite ends a transaction for which there is no room.
    await sql`create table orders (id integer, note text)`.execute(host.db)
    for (const table of ['orders', 'tillkit_deliveries'])
      await sql`create trigger ${sql.raw(`undoes_${table}`)} before insert on ${sql.table(table)} begin
        select raise(rollback, 'no room');
      end`.execute(host.db)
    const undone: ((trx: Transaction<HostTables>) => Promise<unknown>)[] = [
      trx => trx.insertInto('orders').values({ id: 1, note: '' }).execute(),
      trx => inside(trx).payments.resolve({ merchantId, id: 1 }, { status: 'completed' }, NOW),
    ]
    for (const undo of undone) {
      // What its work throws is not what such a transaction of the host's ends in.
      const told: unknown[] = []
      const work = host.db.transaction().execute(async trx => {
        await start(trx)
        for (const call of [undo, start]) told.push(await call(trx).catch(error => error.message))
      })
      await expect(work).rejects.toThrow(/no transaction is active/)
      expect(told).toEqual([
        expect.stringMatching(/no room|CONSTRAINT_TRIGGER/),
        expect.stringMatching(ENDED),
      ])
      expect(await taken()).toBe(0)
    }
  })
})

overMysql(({ create }) => {
  const shop = inAShop(create)

  test('what is called after a commit that failed is refused: its rollback comes next', async () => {
    const proxy = await startProxy(serverOf(shop.database.address))
    const db = hostDatabaseAt(byPort(shop.database.address, proxy.port))
    const trx = await db.startTransaction().execute()
    const { payments } = kyselyStorage(trx as Transaction<HostTables>, 'mysql', PATIENT)
    const start = () => payments.start(attempt(), NOW)
    await start()
    // MySQL has two bytes more before a text than MariaDB.
    proxy.answerBefore(/^.{5,7}commit/s, mysqlError(1317, '70100', 'Query execution was interrupted'))
    await expect(trx.commit().execute()).rejects.toThrow(/interrupted/)
    const told = await start().catch(error => error.message)
    await trx.rollback().execute()
    await db.destroy()
    await proxy.close()
    expect(told).toMatch(ENDED)
    expect((await shop.storage.payments.list(merchantId, {}, ALL)).total).toBe(0)
  })

  test('a read that locks, and with which an error undid the transaction, is not asked for again outside of it', async () => {
    const reference = 'c'.repeat(32)
    await shop.storage.payments.start(attempt(), NOW)
    await shop.storage.cashUps.create(merchantId, { reference, idempotencyKey: null, now: NOW })
    const proxy = await startProxy(serverOf(shop.database.address))
    const db = hostDatabaseAt(byPort(shop.database.address, proxy.port))
    const told = await db.transaction().execute(trx => {
      const { cashUps } = kyselyStorage(trx, 'mysql', PATIENT)
      proxy.answerBefore(/ for update/, mysqlError(1213, '40001', 'Deadlock found'))
      return cashUps.payments(merchantId, reference, ALL).catch(error => error.message)
    })
    await db.destroy()
    await proxy.close()
    expect(told).toMatch(/Deadlock found/)
  })

  test('a transaction that an error has undone ends in what its work throws', async () => {
    const proxy = await startProxy(serverOf(shop.database.address))
    const db = hostDatabaseAt(byPort(shop.database.address, proxy.port))
    const work = db.transaction().execute(async trx => {
      const { payments } = kyselyStorage(trx, 'mysql', PATIENT)
      proxy.answerBefore(/insert into .*payments/, mysqlError(1213, '40001', 'Deadlock found'))
      await expect(payments.start(attempt(), NOW)).rejects.toThrow(/Deadlock found/)
      proxy.answerBefore(/rollback to/, mysqlError(1305, '42000', 'SAVEPOINT tillkit does not exist'))
      throw new Error('the host gives up')
    })
    await expect(work).rejects.toThrow('the host gives up')
    await db.destroy()
    await proxy.close()
  })

  test('a commit that cannot learn whether the transaction was undone is not sent', async () => {
    const proxy = await startProxy(serverOf(shop.database.address))
    const db = hostDatabaseAt(byPort(shop.database.address, proxy.port))
    const work = db.transaction().execute(async trx => {
      const { payments } = kyselyStorage(trx, 'mysql', PATIENT)
      await payments.start(attempt(), NOW)
      proxy.answerBefore(/insert into .*payments/, mysqlError(1213, '40001', 'Deadlock found'))
      await expect(payments.start(attempt(), NOW)).rejects.toThrow(DatabaseError)
      proxy.answerBefore(/rollback to/, mysqlError(1317, '70100', 'Query execution was interrupted'))
    })
    await expect(work).rejects.toThrow(/Query execution was interrupted/)
    await db.destroy()
    await proxy.close()
    expect((await shop.storage.payments.list(merchantId, {}, ALL)).total).toBe(0)
  })
})
