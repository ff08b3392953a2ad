import mysql from 'mysql2'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { dialectOf } from '../../src/dialects/index.ts'
import type { DatabaseStorage } from '../../src/index.ts'
import { mysqlStorage } from '../../src/mysql/index.ts'
import { type Address, PATIENT, storageAt } from '../engines/address.ts'
import { inAShop } from '../engines/in-a-shop.ts'
import { overEveryServer } from '../engines/index.ts'
import { blocked, openSession, type Session } from '../faults/session.ts'
import { ALL, attempt, merchantId, NOW } from '../faults/shop.ts'

/** What the engine's own settings make of transactions that meet. */
overEveryServer(({ name, create }) => {
  const shop = inAShop(create)
  let session: Session
  let others: (() => Promise<unknown>)[]

  beforeEach(async () => {
    others = []
    session = await openSession(shop.database.address)
  })

  afterEach(async () => {
    for (const close of others) await close()
    await session.close()
  })

  /** A storage whose connections begin with these settings. */
  function storageWith(address: Address, settings: { postgres: string; mysql: string }): DatabaseStorage {
    if (address.dialect === 'postgres') {
      const url = new URL(address.connectionString)
      url.searchParams.set('options', `-c ${settings.postgres}`)
      const set = storageAt({ ...address, connectionString: url.href })
      others.push(() => set.close())
      return set
    }
    if (address.dialect === 'sqlite') throw new Error('SQLite has no settings of this kind')
    const pool = mysql.createPool(address.uri)
    pool.on('connection', connection => connection.query(settings.mysql))
    others.push(() => pool.promise().end())
    return mysqlStorage({ pool, ...PATIENT })
  }

  const ids = async () => (await shop.storage.payments.list(merchantId, {}, ALL)).items.map(({ id }) => id)

  test.each([false, true])('a lock timeout: run again until the lock is free (strict: %s)', async strict => {
    const hasty = storageWith(shop.database.address, {
      postgres: 'lock_timeout=30ms',
      mysql: 'set session innodb_lock_wait_timeout = 1',
    })
    await session.run('begin')
    await session.run(`select * from ${session.table('ledgers')} where merchant_id = 'shop' for update`)
    const started = hasty.payments.start(attempt({ strict, merchantReference: 'order-1' }), NOW)
    const first = await blocked(shop.database.address)
    await blocked(shop.database.address, ({ id, since }) => id !== first.id || since !== first.since)
    await session.run('commit')
    expect((await started).payment.id).toBe(1)
    expect(await ids()).toEqual([1])
  })

  // PostgreSQL has no cluster of that kind.
  const nodes = name === 'PostgreSQL' ? [] : [false, true]
  test.each(nodes)(
    'a row that another node of a cluster wrote while this one held the lock: run again (strict: %s)',
    async strict => {
      // What an advisory lock counts is not undone with the transaction.
      const met = (times: number) => `concat(database(), '-${strict}-${times}')`
      const refuseOnce = (times: number) => `if is_free_lock(${met(times)}) then
        do get_lock(${met(times)}, 0);
        signal sqlstate '23000' set mysql_errno = 1062, message_text = 'Duplicate entry';
      end if;`
      await session.run(`create trigger meet before insert on ${session.table('payments')} for each row begin
        ${refuseOnce(1)}
        ${refuseOnce(2)}
      end`)
      const started = await shop.storage.payments.start(
        attempt({ strict, merchantReference: 'order-1' }),
        NOW,
      )
      expect(started).toMatchObject({ created: true, payment: { id: 1 } })
      expect(await ids()).toEqual([1])
    },
  )

  test('transactions that the database makes stricter than asked', async () => {
    const strict = storageWith(shop.database.address, {
      postgres: 'default_transaction_isolation=serializable',
      mysql: 'set session transaction isolation level serializable',
    })
    await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        const fields = { strict: n % 2 === 0, merchantReference: `${n % 3}`, attemptKey: n % 5 ? null : 'k' }
        const { payment } = await strict.payments.start(attempt(fields), NOW)
        await strict.payments.resolve(payment, { status: 'completed' }, NOW)
        if (n % 7 === 0) {
          const cashUp = { reference: `${n}`.padStart(32, '0'), idempotencyKey: null, now: NOW }
          await strict.cashUps.create(merchantId, cashUp)
        }
      }),
    )
    expect(await ids()).toEqual(Array.from({ length: 17 }, (_, n) => 17 - n))
    expect((await shop.storage.cashUps.list(merchantId, ALL)).total).toBe(3)
  })

  if (name !== 'PostgreSQL') {
    test('a snapshot conflict is known as one', async () => {
      const settings = await session.run(`show variables like 'innodb_snapshot_isolation'`)
      // MySQL and older MariaDB have no such conflict.
      if (settings.length === 0) return
      await shop.storage.payments.start(attempt(), NOW)
      await session.run('set session innodb_snapshot_isolation = on')
      await session.run('set session transaction isolation level repeatable read')
      await session.run('begin')
      await session.run('select * from tillkit_payments')
      await shop.storage.payments.resolve({ merchantId, id: 1 }, { status: 'completed' }, NOW)
      const conflict = await session.run('select * from tillkit_payments for update').catch(error => error)
      expect(conflict.errno).toBe(1020)
      expect(dialectOf('mysql').isTransient(conflict)).toBe(true)
    })
  }
})
