import type { DeliveryResult } from '@tillkit/storage'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DatabaseError, type DatabaseStorage } from '../src/index.ts'
import { mysqlStorage } from '../src/mysql/index.ts'
import { type Address, PATIENT, storageAt } from './engines/address.ts'
import { countedMysqlPool } from './engines/counted-mysql-pool.ts'
import type { TestDatabase } from './engines/engine.ts'
import { overMysql } from './engines/index.ts'
import { openSession } from './faults/session.ts'
import { ALL, merchantId, NOW, openResults, openShop } from './faults/shop.ts'

const COUNT = 40
const LATER = '2026-11-21T09:30:00.000Z'

/** Results on MariaDB that come at the same moment are written in one transaction of a few statements. */
overMysql(({ create }) => {
  let database: TestDatabase
  let address: Extract<Address, { dialect: 'mysql' }>
  let storage: DatabaseStorage
  let results: DeliveryResult[]

  beforeEach(async () => {
    database = await create()
    if (database.address.dialect !== 'mysql') throw new Error('not MySQL')
    address = database.address
    storage = storageAt(address)
    await storage.migrate()
    await openShop(storage)
    results = await openResults(storage, COUNT, LATER)
  })

  afterEach(async () => {
    await storage.close()
    await database.drop()
  })

  const failed = (result: DeliveryResult, error = 'no answer'): DeliveryResult => ({
    ...result,
    ...{ state: 'pending', nextAttemptAt: LATER },
    attempt: { at: NOW, status: null, milliseconds: 1, error, answer: null },
  })

  test.each([
    ['successes', 4, (result: DeliveryResult) => result],
    ['failures', 6, (result: DeliveryResult) => failed(result)],
  ])('%s: a transaction of %i statements, however many', async (_, statements, resultOf) => {
    const { pool, texts } = countedMysqlPool({ uri: address.uri, connectionLimit: 1 })
    const over = mysqlStorage({ pool, ...PATIENT })
    await over.deliveries.get({ merchantId, paymentId: 1 })
    texts.length = 0
    const ended = await Promise.all(results.map(result => over.deliveries.record(resultOf(result))))
    expect(ended).toEqual(results.map(() => true))
    expect(texts.filter(text => !/isolation level/.test(text))).toHaveLength(statements)
    await over.close()
    await pool.promise().end()
  })

  test('deliveries whose rows are locked wait alone, however long', async () => {
    const holder = await openSession(address)
    await holder.run('begin')
    const locked = results.slice(0, 3)
    const ids = locked.map(({ paymentId }) => paymentId).join(', ')
    await holder.run(
      `select * from ${holder.table('deliveries')} where merchant_id = 'shop' and payment_id in (${ids}) for update`,
    )
    let ended = 0
    const waiting = locked.map(result =>
      storage.deliveries.record(result).finally(() => {
        ended += 1
      }),
    )
    const others = results.slice(3).map(result => storage.deliveries.record(result))
    expect(await Promise.all(others)).toEqual(others.map(() => true))
    expect(ended).toBe(0)
    await holder.run('rollback')
    expect(await Promise.all(waiting)).toEqual(locked.map(() => true))
    await holder.close()
  })

  test('an endpoint of which one of them is a success is not failing', async () => {
    const ended = await Promise.all(
      results.map((result, n) => storage.deliveries.record(n % 20 === 0 ? result : failed(result))),
    )
    expect(ended).toEqual(results.map(() => true))
    // The first, which goes by itself, is a success as well: the others find no endpoint that is failing.
    expect((await storage.endpoints.get(merchantId))?.failingSince).toBeNull()
  })

  test('a success at an endpoint whose row is locked waits for it, and wakes it', async () => {
    const [last] = results.slice(-1)
    if (!last) throw new Error('nothing is due')
    await storage.deliveries.record(failed(last))
    await openShop(storage, 'neighbour')
    expect((await storage.endpoints.get(merchantId))?.failingSince).toBe(NOW)
    const holder = await openSession(address)
    await holder.run('begin')
    await holder.run(`select * from ${holder.table('failing_endpoints')} for update`)
    let ended = 0
    const waiting = results.slice(0, 5).map(result =>
      storage.deliveries.record(result).finally(() => {
        ended += 1
      }),
    )
    const failing = results.slice(5, 9).map(result => storage.deliveries.record(failed(result)))
    expect(await Promise.all(failing)).toEqual(failing.map(() => true))
    expect(ended).toBe(0)
    await holder.run('rollback')
    expect(await Promise.all(waiting)).toEqual(waiting.map(() => true))
    expect((await storage.endpoints.get(merchantId))?.failingSince).toBeNull()
    await holder.close()
  })

  test('one that the database refuses is refused alone, and nothing is cut', async () => {
    const [one, two, three, ...others] = results
    if (!one || !two || !three) throw new Error('nothing is due')
    const odd = [
      failed(one, 'x'.repeat(2000)),
      { ...two, attempt: { ...two.attempt, milliseconds: 2 ** 70 } },
      { ...three, merchantId: `${merchantId} `, fence: three.fence },
    ]
    const ended = await Promise.allSettled([...odd, ...others].map(one => storage.deliveries.record(one)))
    for (const [n, one] of ended.entries()) {
      if (n < 2) expect(one).toMatchObject({ status: 'rejected', reason: expect.any(DatabaseError) })
      else expect(one).toEqual({ status: 'fulfilled', value: n > 2 })
    }
    const { items } = await storage.deliveries.list(merchantId, 'pending', ALL)
    expect(items.map(({ paymentId }) => paymentId).toSorted((a, b) => a - b)).toEqual(
      [one, two, three].map(({ paymentId }) => paymentId).toSorted((a, b) => a - b),
    )
  })
})
