import { freePort } from '@tillkit/servers'
import type { DeliveryResult } from '@tillkit/storage'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DatabaseError, type DatabaseStorage } from '../src/index.ts'
import { type Address, PATIENT, storageAt } from './engines/address.ts'
import type { TestDatabase } from './engines/engine.ts'
import { overPostgres } from './engines/index.ts'
import { byPort } from './faults/session.ts'
import { openResults, openShop } from './faults/shop.ts'

const COUNT = 40
const LATER = '2026-11-21T09:30:00.000Z'

/** Results that come at the same moment are written by one statement. */
overPostgres(({ create }) => {
  let database: TestDatabase
  let address: Extract<Address, { dialect: 'postgres' }>
  let storage: DatabaseStorage
  let results: DeliveryResult[]

  beforeEach(async () => {
    database = await create()
    if (database.address.dialect !== 'postgres') throw new Error('not PostgreSQL')
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

  const recordAll = async (over: DatabaseStorage, given = results) => {
    const ended = await Promise.allSettled(given.map(result => over.deliveries.record(result)))
    await over.close()
    return ended
  }
  const reasons = (ended: PromiseSettledResult<boolean>[]): DatabaseError[] =>
    ended.flatMap(one => (one.status === 'rejected' ? [one.reason] : []))

  test('where the database is away, one try of all of them tells all of them', async () => {
    const limits = { lockTimeoutSeconds: 1, readTimeoutSeconds: 1, writeTimeoutSeconds: 2 }
    const away = storageAt(byPort(address, await freePort()), {}, limits)
    const refused = reasons(await recordAll(away))
    expect(refused).toHaveLength(COUNT)
    expect(refused[0]).toBeInstanceOf(DatabaseError)
    expect(new Set(refused).size).toBe(1)
  })

  test('so too where it takes no write', async () => {
    const url = new URL(address.connectionString)
    url.searchParams.set('options', '-c default_transaction_read_only=on')
    const reading = storageAt({ ...address, connectionString: url.href })
    const refused = reasons(await recordAll(reading))
    expect(refused).toHaveLength(COUNT)
    expect(refused[0]?.message).toMatch(/^the database is read-only: /)
    expect(new Set(refused.map(({ cause }) => cause)).size).toBe(1)
  })

  test.each([1, 12])('results of which %i rows are locked: these alone wait, however long', async count => {
    const holder = new pg.Client({ connectionString: address.connectionString })
    await holder.connect()
    await holder.query('begin')
    const locked = results.slice(0, count)
    await holder.query(
      `select from "${address.schema}".tillkit_deliveries where payment_id = any($1) for update`,
      [locked.map(({ paymentId }) => paymentId)],
    )
    let ended = 0
    const waiting = locked.map(result =>
      storage.deliveries.record(result).finally(() => {
        ended += 1
      }),
    )
    const others = results.slice(count).map(result => storage.deliveries.record(result))
    expect(await Promise.all(others)).toEqual(others.map(() => true))
    expect(ended).toBe(0)
    await holder.query('rollback')
    await holder.end()
    expect(await Promise.all(waiting)).toEqual(locked.map(() => true))
  })

  test('one that the database refuses, or whose row is locked, is refused alone', async () => {
    const impossible = { ...(results[0] as DeliveryResult), paymentId: 2 ** 70 }
    const holder = new pg.Client({ connectionString: address.connectionString })
    await holder.connect()
    await holder.query('begin')
    await holder.query(
      `select from "${address.schema}".tillkit_deliveries where payment_id = ${results[1]?.paymentId} for update`,
    )
    // The locked one alone is to wait so long, not those beside it on a busy machine.
    const hasty = storageAt(address, {}, { ...PATIENT, lockTimeoutSeconds: 5 })
    const ended = await recordAll(hasty, [impossible, ...results.slice(1)])
    await holder.end()
    for (const [n, one] of ended.entries()) {
      if (n > 1) expect(one).toEqual({ status: 'fulfilled', value: true })
      else expect(one).toMatchObject({ status: 'rejected', reason: expect.any(DatabaseError) })
    }
  })
})
