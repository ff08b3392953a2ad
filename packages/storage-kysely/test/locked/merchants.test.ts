import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Storage } from '@tillkit/storage'
import { Kysely, MysqlDialect, PostgresDialect } from 'kysely'
import mysql from 'mysql2'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DatabaseError, kyselyStorage } from '../../src/index.ts'
import { mysqlStorage } from '../../src/mysql/index.ts'
import { postgresStorage } from '../../src/postgres/index.ts'
import { type Address, PATIENT, placeOf, storageAt } from '../engines/address.ts'
import { inAShop } from '../engines/in-a-shop.ts'
import { overEveryServer } from '../engines/index.ts'
import { openSession, type Session } from '../faults/session.ts'
import { ALL, attempt, merchantId, NOW } from '../faults/shop.ts'

const NEIGHBOURS = Array.from({ length: 20 }, (_, n) => `neighbour-${n}`)

overEveryServer(({ create }) => {
  const shop = inAShop(create)
  let session: Session
  let after: (() => Promise<unknown>)[]

  beforeEach(async () => {
    after = []
    for (const id of NEIGHBOURS) {
      const features = { tips: false, userReferences: false, deviceLists: false }
      await shop.storage.merchants.create({ id, name: id, webhookUrl: null, features, createdAt: NOW })
    }
    session = await openSession(shop.database.address)
  })

  afterEach(async () => {
    for (const end of after.reverse()) await end()
    await session.close()
  })

  /** A storage over a pool that is the host's, or over a Kysely of the host's over that pool. */
  function hosted(limits: typeof PATIENT, byKysely: boolean): Storage {
    const { address } = shop.database
    if (address.dialect === 'postgres') {
      const pool = new pg.Pool({ connectionString: address.connectionString })
      after.push(() => pool.end())
      if (!byKysely) return postgresStorage({ pool, ...limits }, placeOf(address))
      const dialect = new PostgresDialect({ pool })
      return kyselyStorage(new Kysely({ dialect }), 'postgres', { ...limits, ...placeOf(address) })
    }
    const pool = mysql.createPool((address as { uri: string }).uri)
    // As `docs/promises.md` tells a host to.
    pool.on('connection', connection => connection.query('set innodb_lock_wait_timeout = 2'))
    after.push(() => pool.promise().end())
    if (!byKysely) return mysqlStorage({ pool, ...limits })
    return kyselyStorage(new Kysely({ dialect: new MysqlDialect({ pool }) }), 'mysql', limits)
  }

  const lock = async (...ids: string[]) => {
    await session.run('begin')
    // One by one: MariaDB would look at, and so lock, every row of a small table to find a dozen.
    for (const id of ids) {
      await session.run(`select * from ${session.table('ledgers')} where merchant_id = '${id}' for update`)
    }
  }
  const starts = (over: Storage, count: number, of = merchantId) =>
    Array.from({ length: count }, (_, n) =>
      over.payments.start(attempt({ merchantId: of, strict: n % 5 === 0, merchantReference: `${n}` }), NOW),
    )
  /** Reads of everybody's, and a payment of each neighbour's from beginning to end. */
  const others = async (over: Storage, neighbours = NEIGHBOURS) => {
    await Promise.all([
      ...Array.from({ length: 20 }, () => over.payments.list(merchantId, {}, ALL)),
      ...neighbours.map(async id => {
        const { payment } = await over.payments.start(attempt({ merchantId: id }), NOW)
        await over.payments.resolve(payment, { status: 'completed' }, NOW)
        expect((await over.payments.get(payment))?.status).toBe('completed')
      }),
    ])
  }
  const ids = async (of = merchantId) =>
    (await shop.storage.payments.list(of, {}, ALL)).items.map(({ id }) => id).reverse()

  describe.each(['a pool of its own', 'a hosted pool', 'a hosted Kysely'])('%s', kind => {
    const over = (limits = PATIENT) => {
      if (kind !== 'a pool of its own') return hosted(limits, kind === 'a hosted Kysely')
      const own = storageAt(shop.database.address, {}, limits)
      after.push(() => own.close())
      return own
    }

    test('50 starts of a locked merchant, while the others go on', { timeout: 300_000 }, async () => {
      const stuck = over()
      await lock(merchantId)
      let ended = 0
      const waiting = starts(stuck, 50).map(start =>
        start.finally(() => {
          ended += 1
        }),
      )
      for (let rounds = 0; rounds < 5; rounds++) await others(stuck)
      expect(ended).toBe(0)
      await session.run('rollback')
      await Promise.all(waiting)
      expect(await ids()).toEqual(Array.from({ length: 50 }, (_, n) => n + 1))
    })

    test('a dozen locked merchants, while the others go on', { timeout: 300_000 }, async () => {
      const stuck = over()
      const locked = NEIGHBOURS.slice(0, 12)
      await lock(...locked)
      let ended = 0
      const waiting = locked
        .flatMap(id => starts(stuck, 5, id))
        .map(start =>
          start.finally(() => {
            ended += 1
          }),
        )
      for (let rounds = 0; rounds < 5; rounds++) await others(stuck, NEIGHBOURS.slice(12))
      expect(ended).toBe(0)
      await session.run('rollback')
      await Promise.all(waiting)
      for (const id of locked) expect(await ids(id)).toEqual([1, 2, 3, 4, 5])
    })

    test('a wait that is too long ends in an error that names the merchant, and nothing is left of it', async () => {
      const hasty = over({ ...PATIENT, lockTimeoutSeconds: 1 })
      await lock(merchantId)
      for (const ended of await Promise.allSettled(starts(hasty, 12))) {
        if (ended.status === 'fulfilled') throw new Error('the lock was had')
        expect(ended.reason).toBeInstanceOf(DatabaseError)
        expect(ended.reason.name).toBe('DatabaseError')
        expect(ended.reason.message).toContain('the lock of merchant shop')
      }
      await session.run('rollback')
      expect((await hasty.payments.start(attempt(), NOW)).payment.id).toBe(1)
      expect(await ids()).toEqual([1])
    })
  })

  test.each([
    ['first', 1],
    ['second', 3],
  ])('a write that ends before its %s wait for the lock does names the merchant too', async (_, seconds) => {
    const hasty = storageAt(shop.database.address, {}, { ...PATIENT, writeTimeoutSeconds: seconds })
    after.push(() => hasty.close())
    await lock(merchantId)
    const refused = await hasty.payments.start(attempt({ strict: true }), NOW).catch(error => error)
    expect(refused).toBeInstanceOf(DatabaseError)
    expect(refused.message).toMatch(new RegExp(` within ${seconds} seconds, for a write of merchant shop$`))
    await session.run('rollback')
  })

  test('a process that is stopped while it holds the lock: the others go on, and so does the merchant in the end', {
    timeout: 300_000,
  }, async () => {
    const holder = startHolder(shop.database.address, { idleTransactionTimeoutSeconds: 2 })
    after.push(async () => {
      holder.kill('SIGKILL')
      await once(holder, 'exit')
    })
    await once(holder, 'message')
    holder.kill('SIGSTOP')
    const waiting = starts(shop.storage, 50)
    await others(shop.storage)
    // Nobody ends the process: the database ends its session, by what the session was told when it began.
    await Promise.all(waiting)
    expect(await ids()).toEqual(Array.from({ length: 50 }, (_, n) => n + 1))
  })
})

function startHolder(address: Address, limits: object): ChildProcess {
  const program = fileURLToPath(new URL('./holder.ts', import.meta.url))
  return fork(program, [JSON.stringify(address), JSON.stringify(limits)], {
    execArgv: ['--conditions=@tillkit/source'],
  })
}
