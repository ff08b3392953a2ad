import { setTimeout as sleep } from 'node:timers/promises'
import type { Storage } from '@tillkit/storage'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { kyselyStorage } from '../../src/index.ts'
import { mysqlStorage } from '../../src/mysql/index.ts'
import { postgresStorage } from '../../src/postgres/index.ts'
import { type Address, hostDatabaseAt, PATIENT, placeOf, storageAt } from '../engines/address.ts'
import { countedMysqlPool } from '../engines/counted-mysql-pool.ts'
import { countedPool } from '../engines/counted-pool.ts'
import type { TestDatabase } from '../engines/engine.ts'
import { overEveryServer, overPostgres } from '../engines/index.ts'
import { openSession } from '../faults/session.ts'
import { ALL, attempt, merchantId, NOW, openShop } from '../faults/shop.ts'

const LATER = '2026-11-20T09:31:00.000Z'
const slice = { skip: 0, limit: 50 }
const strict = { strict: true, merchantReference: 'order-1' }

/** What each operation costs, in round trips on PostgreSQL and on MariaDB or MySQL. `docs/costs.md` has this table. */
const COSTS: [name: string, postgres: number, mysql: number, work: (storage: Storage) => Promise<unknown>][] =
  [
    ['authenticate', 1, 1, ({ apiKeys }) => apiKeys.findMerchant('0'.repeat(64), NOW)],
    ['a scan code with its merchant', 1, 1, ({ scanCodes }) => scanCodes.find('till-1')],
    ['start', 1, 5, ({ payments }) => payments.start(attempt(), NOW)],
    ['start with an attempt key', 1, 6, ({ payments }) => payments.start(attempt({ attemptKey: 'a' }), NOW)],
    [
      'start with a known attempt key',
      2,
      4,
      ({ payments }) => payments.start(attempt({ attemptKey: 'a' }), NOW),
    ],
    ['start, strict', 6, 6, ({ payments }) => payments.start(attempt(strict), NOW)],
    ['start, strict, refused', 7, 7, ({ payments }) => payments.start(attempt(strict), NOW)],
    [
      'outcome with its delivery',
      1,
      5,
      ({ payments }) => payments.resolve({ merchantId, id: 1 }, { status: 'completed' }, NOW),
    ],
    [
      'outcome said again',
      2,
      4,
      ({ payments }) => payments.resolve({ merchantId, id: 1 }, { status: 'completed' }, NOW),
    ],
    [
      'outcome, its delivery under a lease',
      1,
      6,
      ({ payments }) =>
        payments.resolve(
          { merchantId, id: 3 },
          { status: 'completed' },
          NOW,
          null,
          '2026-11-20T10:31:00.000Z',
        ),
    ],
    ['settle, the first of a reference', 7, 7, ({ payments }) => payments.settle(merchantId, 'BANK-1', [1])],
    ['one payment', 1, 1, ({ payments }) => payments.get({ merchantId, id: 1 })],
    ['payments, no filter', 1, 1, ({ payments }) => payments.list(merchantId, {}, slice)],
    [
      'payments, dates',
      1,
      2,
      ({ payments }) => payments.list(merchantId, { startDate: '2026-01-01T00:00:00Z' }, slice),
    ],
    [
      'payments, other filters',
      1,
      2,
      ({ payments }) => payments.list(merchantId, { status: ['pending'] }, slice),
    ],
    [
      'payments, two that each have an index',
      2,
      3,
      ({ payments }) =>
        payments.list(merchantId, { scanCode: 'till-1', status: ['error', 'pending'] }, slice),
    ],
    [
      'payments by status and dates',
      1,
      3,
      ({ payments }) =>
        payments.list(merchantId, { status: ['error'], startDate: '2026-01-01T00:00:00Z' }, slice),
    ],
    [
      'cash up',
      5,
      5,
      ({ cashUps }) =>
        cashUps.create(merchantId, { reference: 'c'.repeat(32), idempotencyKey: null, now: NOW }),
    ],
    ['cash ups', 1, 1, ({ cashUps }) => cashUps.list(merchantId, slice)],
    ['the time', 1, 1, ({ time }) => time?.() ?? Promise.reject(new Error('has no time'))],
    ['start at the database’s time', 1, 5, ({ payments }) => payments.start(attempt(), null)],
    [
      'outcome at the database’s time',
      1,
      5,
      ({ payments }) => payments.resolve({ merchantId, id: 2 }, { status: 'completed' }, null),
    ],
    [
      'cash up at the database’s time',
      5,
      5,
      ({ cashUps }) =>
        cashUps.create(merchantId, { reference: 'd'.repeat(32), idempotencyKey: null, now: null }),
    ],
    ['settle', 5, 5, ({ payments }) => payments.settle(merchantId, 'BANK-1', [2])],
    ['settle, said again', 4, 4, ({ payments }) => payments.settle(merchantId, 'BANK-1', [1, 2])],
  ]

overEveryServer(({ create }) => {
  let database: TestDatabase
  let storage: Storage
  let end: () => Promise<unknown>
  let texts: string[]
  // Said once for each connection where the pool is Tillkit's own.
  const sent = () => texts.filter(text => !/^set transaction isolation level/.test(text)).length

  /** A storage over a pool that counts what it sends. */
  function countingStorage(address: Address): Storage {
    if (address.dialect === 'postgres') {
      const counted = countedPool({ connectionString: address.connectionString })
      end = () => counted.pool.end()
      texts = counted.texts
      return postgresStorage({ pool: counted.pool, ...PATIENT }, { schema: address.schema })
    }
    if (address.dialect === 'sqlite') throw new Error('SQLite has no round trips')
    const counted = countedMysqlPool({ uri: address.uri })
    end = () => counted.pool.promise().end()
    texts = counted.texts
    return mysqlStorage({ pool: counted.pool, ...PATIENT })
  }

  beforeAll(async () => {
    database = await create()
    const owner = storageAt(database.address)
    await owner.migrate()
    await openShop(owner)
    await owner.close()
    storage = countingStorage(database.address)
    await storage.payments.list(merchantId, {}, ALL)
  })

  afterAll(async () => {
    await end()
    await database.drop()
  })

  test.each(COSTS)('%s: %i on PostgreSQL, %i on MariaDB', async (_, postgres, mysql, work) => {
    texts.length = 0
    await work(storage)
    expect(sent()).toBe(database.address.dialect === 'postgres' ? postgres : mysql)
  })

  test('a claim is one round trip on PostgreSQL, whatever it finds, and seven elsewhere, or one where none is due', async () => {
    const claim = () =>
      storage.deliveries.claim({ now: LATER, leaseUntil: '2026-11-20T09:40:00.000Z', limit: 100 })
    texts.length = 0
    expect((await claim()).length).toBe(2)
    expect(sent()).toBe(database.address.dialect === 'postgres' ? 1 : 7)
    texts.length = 0
    expect(await claim()).toEqual([])
    expect(sent()).toBe(1)
  })

  test('a period whose payments are known costs one round trip', async () => {
    for (const payment of (await storage.payments.list(merchantId, { status: ['pending'] }, ALL)).items) {
      await storage.payments.resolve(payment, { status: 'completed' }, NOW)
    }
    const first = await storage.cashUps.payments(merchantId, 'c'.repeat(32), slice)
    // Their number is kept beside that.
    const session = await openSession(database.address)
    const unkept = `select 1 from ${session.table('cash_ups')} where reference = '${'c'.repeat(32)}' and completed_total is null`
    while ((await session.run(unkept)).length > 0) await sleep(5)
    await session.close()
    texts.length = 0
    expect(await storage.cashUps.payments(merchantId, 'c'.repeat(32), slice)).toEqual(first)
    expect(sent()).toBe(1)
  })
})

overPostgres(({ create }) => {
  test('over a Kysely of the host’s a start and an outcome are one statement each, which leaves the session as it was', async () => {
    const { address, drop } = await create()
    const owner = storageAt(address)
    await owner.migrate()
    await openShop(owner)
    const texts: string[] = []
    const db = hostDatabaseAt(address, ({ query }) => {
      texts.push(query.sql)
    })
    const { payments } = kyselyStorage(db, 'postgres', { ...PATIENT, ...placeOf(address) })
    await payments.list(merchantId, {}, ALL)
    texts.length = 0
    const { payment } = await payments.start(attempt(), NOW)
    await payments.resolve(payment, { status: 'completed' }, NOW)
    expect(texts).toEqual([expect.stringContaining('lock_timeout'), expect.stringContaining('lock_timeout')])
    const limit = await sql`show lock_timeout`.execute(db)
    expect(limit.rows).toEqual([{ lock_timeout: '0' }])
    await db.destroy()
    await owner.close()
    await drop()
  })
})
