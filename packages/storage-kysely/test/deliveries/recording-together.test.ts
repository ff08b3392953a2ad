import { freePort } from '@tillkit/servers'
import type { DeliveryResult } from '@tillkit/storage'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DatabaseError, type DatabaseStorage } from '../../src/index.ts'
import { type Address, PATIENT, storageAt } from '../engines/address.ts'
import { overEveryServer } from '../engines/index.ts'
import { narrowAt } from '../engines/narrow.ts'
import { byPort, openSession, type Session } from '../faults/session.ts'
import { ALL, merchantId, NOW, openResults, openShop } from '../faults/shop.ts'

const COUNT = 40
const LATER = '2026-11-21T09:30:00.000Z'

/** How many statements are in a transaction that writes results, between its begin and its commit. */
const STATEMENTS = { postgres: { successes: 1, failures: 1 }, mysql: { successes: 2, failures: 4 } }

/** Results that come at the same moment are written together: by a statement on PostgreSQL, in a transaction of a few on MariaDB. */
overEveryServer(({ name, create }) => {
  let drop: () => Promise<void>
  let address: Exclude<Address, { dialect: 'sqlite' }>
  let storage: DatabaseStorage
  let session: Session
  let results: DeliveryResult[]

  beforeEach(async () => {
    const database = await create()
    if (database.address.dialect === 'sqlite') throw new Error('SQLite is no server')
    drop = database.drop
    address = database.address
    storage = storageAt(address)
    await storage.migrate()
    await openShop(storage)
    session = await openSession(address)
    results = await openResults(storage, COUNT, LATER)
  })

  afterEach(async () => {
    await session.close()
    await storage.close()
    await drop()
  })

  const recordAll = async (given: DeliveryResult[], over = storage) =>
    Promise.allSettled(given.map(result => over.deliveries.record(result)))
  const recorded = { status: 'fulfilled', value: true }
  const refused = { status: 'rejected', reason: expect.any(DatabaseError) }
  const failed = (result: DeliveryResult, error = 'no answer'): DeliveryResult => ({
    ...result,
    ...{ state: 'pending', nextAttemptAt: LATER },
    attempt: { at: NOW, status: null, milliseconds: 1, error, answer: null },
  })
  /** Row by row: a range may lock what lies between, too. */
  const lock = async (given: DeliveryResult[]) => {
    await session.run('begin')
    for (const { paymentId } of given) {
      await session.run(
        `select * from ${session.table('deliveries')} where merchant_id = 'shop' and payment_id = ${paymentId} for update`,
      )
    }
  }

  test.each([
    ['successes', (result: DeliveryResult) => result],
    ['failures', (result: DeliveryResult) => failed(result)],
  ] as const)(
    '%s are one transaction of so many statements, however many they are',
    async (kind, resultOf) => {
      const narrow = narrowAt(address)
      await narrow.over.deliveries.get({ merchantId, paymentId: 1 })
      narrow.texts.length = 0
      const ended = await recordAll(results.map(resultOf), narrow.over)
      expect(ended).toEqual(results.map(() => recorded))
      const within = narrow.texts.filter(text => !/^begin|^commit$|isolation level/.test(text))
      expect(within).toHaveLength(STATEMENTS[address.dialect][kind])
      await narrow.close()
    },
  )

  test('where the database is away, one try of all of them tells all of them', async () => {
    const limits = { lockTimeoutSeconds: 1, readTimeoutSeconds: 1, writeTimeoutSeconds: 2 }
    const away = storageAt(byPort(address, await freePort()), {}, limits)
    const ended = await recordAll(results, away)
    expect(ended).toEqual(results.map(() => refused))
    expect(new Set(ended.map(one => one.status === 'rejected' && one.reason)).size).toBe(1)
    await away.close()
  })

  if (name === 'PostgreSQL') {
    test('so too where it takes no write', async () => {
      if (address.dialect !== 'postgres') throw new Error('not PostgreSQL')
      const url = new URL(address.connectionString)
      url.searchParams.set('options', '-c default_transaction_read_only=on')
      const reading = storageAt({ ...address, connectionString: url.href })
      const causes = (await recordAll(results, reading)).map(one => one.status === 'rejected' && one.reason)
      expect(causes.map(({ message }) => message)).toEqual(
        results.map(() => expect.stringMatching(/^the database is read-only: /)),
      )
      expect(new Set(causes.map(({ cause }) => cause)).size).toBe(1)
      await reading.close()
    })
  }

  test.each([1, 12])('results of which %i rows are locked: these alone wait, however long', async count => {
    const locked = results.slice(0, count)
    await lock(locked)
    let ended = 0
    const waiting = locked.map(result =>
      storage.deliveries.record(result).finally(() => {
        ended += 1
      }),
    )
    expect(await recordAll(results.slice(count))).toEqual(results.slice(count).map(() => recorded))
    expect(ended).toBe(0)
    await session.run('rollback')
    expect(await Promise.all(waiting)).toEqual(locked.map(() => true))
  })

  test('one whose row stays locked is refused alone', async () => {
    await lock(results.slice(1, 2))
    // The locked one alone is to wait so long, not those beside it on a busy machine.
    const hasty = storageAt(address, {}, { ...PATIENT, lockTimeoutSeconds: 5 })
    const ended = await recordAll(results, hasty)
    await session.run('rollback')
    expect(ended).toEqual(results.map((_, n) => (n === 1 ? refused : recorded)))
    await hasty.close()
  })

  test('one that the database refuses is refused alone, and nothing is cut', async () => {
    const [one, two, three, four, ...others] = results
    if (!one || !two || !three || !four) throw new Error('nothing is due')
    const onPostgres = address.dialect === 'postgres'
    const odd: [result: DeliveryResult, ended: object][] = [
      [{ ...one, attempt: { ...one.attempt, milliseconds: 2 ** 70 } }, refused],
      // A key of which there is no row, and one that there cannot be.
      [
        { ...two, merchantId: `${merchantId} ` },
        { status: 'fulfilled', value: false },
      ],
      [{ ...three, paymentId: 2 ** 70 }, onPostgres ? refused : { status: 'fulfilled', value: false }],
      // Text is as long as it likes on PostgreSQL.
      [failed(four, 'x'.repeat(2000)), onPostgres ? recorded : refused],
    ]
    const ended = await recordAll([...odd.map(([result]) => result), ...others])
    expect(ended).toEqual([...odd.map(([, ended]) => ended), ...others.map(() => recorded)])
    const { items } = await storage.deliveries.list(merchantId, 'pending', ALL)
    const left = [one, two, three, four].map(({ paymentId }) => paymentId)
    expect(items.map(({ paymentId }) => paymentId).toSorted((a, b) => a - b)).toEqual(
      left.toSorted((a, b) => a - b),
    )
    expect((await storage.deliveries.get({ merchantId, paymentId: four.paymentId }))?.lastError ?? '').toBe(
      onPostgres ? 'x'.repeat(2000) : '',
    )
  })

  test('an endpoint of which one of them is a success is not failing', async () => {
    const ended = await recordAll(results.map((result, n) => (n % 20 === 0 ? result : failed(result))))
    expect(ended).toEqual(results.map(() => recorded))
    expect((await storage.endpoints.get(merchantId))?.failingSince).toBeNull()
  })

  test('an endpoint fails from the earliest of its failures on, in whatever order they come', async () => {
    const seconds = results.map((_, n) => new Date(Date.parse(NOW) + ((n + 20) % COUNT) * 1000).toISOString())
    const failures = results.map((result, n) => {
      const failure = failed(result)
      return { ...failure, attempt: { ...failure.attempt, at: seconds[n] ?? NOW } }
    })
    expect(await recordAll(failures)).toEqual(results.map(() => recorded))
    expect((await storage.endpoints.get(merchantId))?.failingSince).toBe(NOW)
  })

  test('a success at an endpoint whose row is locked waits for it, and wakes it', async () => {
    const [last] = results.slice(-1)
    if (!last) throw new Error('nothing is due')
    await storage.deliveries.record(failed(last))
    await openShop(storage, 'neighbour')
    expect((await storage.endpoints.get(merchantId))?.failingSince).toBe(NOW)
    await session.run('begin')
    await session.run(`select * from ${session.table('failing_endpoints')} for update`)
    let ended = 0
    const waiting = results.slice(0, 5).map(result =>
      storage.deliveries.record(result).finally(() => {
        ended += 1
      }),
    )
    const failing = recordAll(results.slice(5, 9).map(result => failed(result)))
    // On PostgreSQL its failures may have to wait for their merchant's turn.
    if (address.dialect === 'mysql') await failing
    expect(ended).toBe(0)
    await session.run('rollback')
    expect(await failing).toEqual(results.slice(5, 9).map(() => recorded))
    expect(await Promise.all(waiting)).toEqual(waiting.map(() => true))
    expect((await storage.endpoints.get(merchantId))?.failingSince).toBeNull()
  })
})
