import { setImmediate } from 'node:timers/promises'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { CommitUnknownError, DatabaseError, type DatabaseStorage, kyselyStorage } from '../../../src/index.ts'
import { postgresStorage } from '../../../src/postgres/index.ts'
import { type Address, PATIENT, storageAt } from '../../engines/address.ts'
import { inAShop } from '../../engines/in-a-shop.ts'
import { overEveryServer, overPostgres } from '../../engines/index.ts'
import { type CuttingProxy, startProxy } from '../proxy.ts'
import { byPort, serverOf } from '../session.ts'
import { attempt, merchantId, NOW, openShop } from '../shop.ts'

/** So short that a test need not wait; what is tested is that a call ends, and how. */
const HASTY = { lockTimeoutSeconds: 0.5, readTimeoutSeconds: 0.5, writeTimeoutSeconds: 1 }
/** Above what a busy server takes to come to a commit. */
const LESS_HASTY = { ...HASTY, writeTimeoutSeconds: 4 }
/** What a session is asked before anything else, by each engine. */
const FIRST_WORDS = /pg_backend_pid|wsrep/
const strict = attempt({ strict: true, merchantReference: 'order-1', attemptKey: 'a' })

/** A path to the database that dies without a word. */
overEveryServer(({ create }) => {
  const shop = inAShop(create)
  let proxy: CuttingProxy
  let distant: DatabaseStorage

  const distantWith = (limits: typeof HASTY) =>
    storageAt(byPort(shop.database.address, proxy.port), {}, limits)

  beforeEach(async () => {
    proxy = await startProxy(serverOf(shop.database.address))
    distant = distantWith(HASTY)
  })

  afterEach(async () => {
    await distant.close()
    await proxy.close()
  })

  const ids = async () =>
    (await shop.storage.payments.list(merchantId, {}, { skip: 0, limit: 9 })).items.map(({ id }) => id)

  /** Has some connections, however slow the machine is in making them. */
  const connected = () =>
    Promise.all(
      Array.from({ length: 5 }, async () => {
        while (!(await distant.merchants.get('shop').catch(() => null))) {}
      }),
    )

  test.each([false, true])('ends every call, connections had before: %s', async before => {
    if (before) await connected()
    proxy.swallow(true)
    const calls = [
      ...Array.from({ length: 15 }, () => distant.merchants.get('shop')),
      ...Array.from({ length: 5 }, () => distant.payments.start(attempt(), NOW)),
      ...Array.from({ length: 5 }, () => distant.payments.start(strict, NOW)),
      distant.transaction(inside => inside.payments.start(attempt(), NOW)),
    ]
    for (const ended of await Promise.allSettled(calls)) {
      expect(ended).toMatchObject({ status: 'rejected', reason: expect.any(DatabaseError) })
    }
    const refused = await distant.merchants.get('shop').catch(error => error)
    expect(refused.message).toMatch(/^the database (did not answer within 0.5 seconds|cannot be reached)/)
    proxy.swallow(false)
    // The path is there again: so are the calls, by new connections.
    while (!(await distant.merchants.get('shop').catch(() => null))) {}
    expect(await ids()).toEqual([])
  })

  test('what falls silent before its session is looked at makes room for others', async () => {
    const all = 10
    proxy.swallowBefore(FIRST_WORDS, all)
    const calls = Array.from({ length: all }, () => distant.merchants.get('shop'))
    for (const ended of await Promise.allSettled(calls)) {
      expect(ended).toMatchObject({ status: 'rejected', reason: expect.any(DatabaseError) })
    }
    await expect
      .poll(() => distant.merchants.get('shop').catch(() => null), { timeout: 20_000 })
      .not.toBe(null)
  })

  test.each(['swallowBefore', 'swallowAfter'] as const)(
    '%s a commit: what may have taken place is said to be unknown',
    async swallow => {
      distant = distantWith(LESS_HASTY)
      await connected()
      proxy[swallow](/\bcommit\b/i)
      const refused = await distant.payments.start(strict, NOW).catch(error => error)
      expect(refused).toBeInstanceOf(CommitUnknownError)
      const again = await shop.storage.payments.start(strict, NOW)
      expect(await ids()).toEqual([again.payment.id])
    },
  )

  test.each<[what: string, lose: (proxy: CuttingProxy) => unknown]>([
    ['is dead', ({ swallow }) => swallow(true)],
    ['is refused', ({ close }) => close()],
  ])(
    'an outcome that was cut off, and whose path %s from then on, is said to be unknown',
    async (_, lose) => {
      distant = distantWith(LESS_HASTY)
      const { payment } = await shop.storage.payments.start(attempt(), NOW)
      while (!(await distant.merchants.get('shop').catch(() => null))) {}
      proxy.cutAfter(shop.database.address.dialect === 'postgres' ? /delivery/ : /\bcommit\b/i)
      const resolving = distant.payments.resolve(payment, { status: 'completed' }, NOW).catch(error => error)
      while (proxy.cuts() === 0) await setImmediate()
      // It would go on with another connection, which it does not get.
      await lose(proxy)
      expect(await resolving).toBeInstanceOf(CommitUnknownError)
      expect((await shop.storage.payments.get(payment))?.status).toBe('completed')
    },
  )

  test('close ends while calls are in flight on a dead path', async () => {
    await connected()
    proxy.swallow(true)
    const calls = [distant.merchants.get('shop'), distant.payments.start(strict, NOW)].map(call =>
      call.catch(error => error),
    )
    await distant.close()
    for (const answer of await Promise.all(calls)) expect(answer).toBeInstanceOf(DatabaseError)
    expect(await distant.merchants.get('shop').catch(error => error)).toBeInstanceOf(DatabaseError)
  })
})

overPostgres(({ create }) => {
  const connectionStringOf = (address: Address) => {
    if (address.dialect !== 'postgres') throw new Error('not PostgreSQL')
    return address.connectionString
  }

  test('a host’s own Kysely: the calls end', async () => {
    const { address, drop } = await create()
    const owner = storageAt(address)
    await owner.migrate()
    await openShop(owner)
    const proxy = await startProxy(serverOf(address))
    const pool = new pg.Pool({ connectionString: connectionStringOf(byPort(address, proxy.port)) })
    // Nobody but the host can listen here.
    pool.on('connect', client => client.on('error', () => {}))
    pool.on('error', () => {})
    const db = new Kysely({ dialect: new PostgresDialect({ pool }) })
    const hosted = kyselyStorage(db, 'postgres', { ...HASTY, schema: (address as { schema: string }).schema })
    while (!(await hosted.merchants.get('shop').catch(() => null))) {}
    proxy.swallow(true)
    const calls = [
      hosted.merchants.get('shop'),
      hosted.payments.start(attempt(), NOW),
      hosted.payments.start(strict, NOW),
    ]
    for (const ended of await Promise.allSettled(calls)) {
      expect(ended).toMatchObject({ status: 'rejected', reason: expect.any(DatabaseError) })
    }
    await proxy.close()
    await db.destroy()
    await owner.close()
    await drop()
  })

  describe('a pool that was handed in', () => {
    test('after an error that was not the server’s answer its connection is ended, and a write may have taken place', async () => {
      const { address, drop } = await create()
      const owner = storageAt(address)
      await owner.migrate()
      await openShop(owner)
      const proxy = await startProxy(serverOf(address))
      const pool = new pg.Pool({
        connectionString: connectionStringOf(byPort(address, proxy.port)),
        // Above what a busy server takes: one query alone is to be swallowed.
        query_timeout: 3000,
        max: 1,
      })
      const hosted = postgresStorage({ pool, ...PATIENT }, { schema: (address as { schema: string }).schema })
      await hosted.merchants.get('shop')
      const ended: unknown[] = []
      pool.on('remove', client => ended.push(client))
      proxy.swallowAfter(/swallowed/)
      const refused = await hosted.payments
        .start(attempt({ merchantReference: 'swallowed' }), NOW)
        .catch(error => error)
      expect(refused).toBeInstanceOf(CommitUnknownError)
      expect(pool.totalCount).toBe(0)
      expect(await hosted.merchants.get('shop')).not.toBe(null)
      expect(ended.length).toBe(1)
      await pool.end()
      await proxy.close()
      await owner.close()
      await drop()
    })
  })
})
