import type { NewPayment, Outcome } from '@tillkit/domain'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { CommitUnknownError, DatabaseError, type DatabaseStorage } from '../../src/index.ts'
import { postgresStorage } from '../../src/postgres/index.ts'
import { type Address, PATIENT, storageAt } from '../engines/address.ts'
import { countedPool } from '../engines/counted-pool.ts'
import type { TestDatabase } from '../engines/engine.ts'
import { overPostgres } from '../engines/index.ts'
import { behindAProxy } from '../faults/behind-a-proxy.ts'
import { blocked, openSession, type Session } from '../faults/session.ts'
import { ALL, attempt, merchantId, NOW, openShop } from '../faults/shop.ts'

const LATER = '2026-11-20T09:31:00.000Z'
const completed: Outcome = { status: 'completed' }
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n + 1)

/** Starts and outcomes of one merchant that wait for each other are written together. */
overPostgres(({ create }) => {
  let database: TestDatabase
  let address: Extract<Address, { dialect: 'postgres' }>
  let storage: DatabaseStorage
  let session: Session

  beforeEach(async () => {
    database = await create()
    if (database.address.dialect !== 'postgres') throw new Error('not PostgreSQL')
    address = database.address
    storage = storageAt(address)
    await storage.migrate()
    await openShop(storage)
    for (const code of ['till-1', 'till-2']) {
      await storage.scanCodes.add({ code, merchantId, reference: null, createdAt: NOW })
    }
    session = await openSession(address)
  })

  afterEach(async () => {
    await session.close()
    await storage.close()
    await database.drop()
  })

  const start = (fields: Partial<NewPayment> = {}, over = storage, now: string | null = NOW) =>
    over.payments.start(attempt(fields), now)
  const all = async () => (await storage.payments.list(merchantId, {}, ALL)).items.toReversed()
  const holdLock = async () => {
    await session.run('begin')
    await session.run(`select * from ${session.table('ledgers')} where merchant_id = 'shop' for update`)
  }
  const letGo = () => session.run('rollback')

  /** A storage whose statements are counted. */
  function counted() {
    const { pool, texts } = countedPool({ connectionString: address.connectionString })
    const over = postgresStorage({ pool, ...PATIENT }, { schema: address.schema })
    const close = async () => {
      await over.close()
      await pool.end()
    }
    return { over, texts, close }
  }

  test('what waits is written by one statement, in the order in which it was asked for', async () => {
    const { over, texts, close } = counted()
    await start({}, over)
    texts.length = 0
    await holdLock()
    const starting = upTo(60).map(n => start({ userReference: `${n}` }, over))
    // The first two go by themselves, each on a connection that may have to be opened: both wait before any is let go.
    const first = await blocked(address)
    await blocked(address, ({ id }) => id !== first.id)
    await letGo()
    const started = await Promise.all(starting)
    expect(texts.length).toBeLessThanOrEqual(5)
    expect(started.map(({ created }) => created)).toEqual(upTo(60).map(() => true))
    const kept = await all()
    expect(kept.map(({ id }) => id)).toEqual(upTo(61))
    for (const { payment } of started) expect(kept[payment.id - 1]).toEqual(payment)
    // The first two go before, between or after: whoever asks for a row as it is let go may have it before one that has waited for it.
    const together = kept.slice(1).map(({ userReference }) => Number(userReference))
    expect(together.filter(n => n > 2)).toEqual(upTo(60).slice(2))

    texts.length = 0
    const ended = await Promise.all(
      started.map(({ payment }) => over.payments.resolve(payment, completed, null)),
    )
    expect(texts.length).toBeLessThanOrEqual(5)
    expect(ended.map(one => [one?.payment.status, one?.changed])).toEqual(
      started.map(() => ['completed', true]),
    )
    expect((await storage.deliveries.list(merchantId, undefined, ALL)).total).toBe(60)
    await close()
  })

  test('writes of a host’s transaction are its own, and go with it', async () => {
    const { over, texts, close } = counted()
    await over
      .transaction(async inside => {
        const started = await Promise.all(upTo(10).map(() => start({}, inside as DatabaseStorage)))
        await Promise.all(started.map(({ payment }) => inside.payments.resolve(payment, completed, NOW)))
        throw new Error('undone')
      })
      .catch(() => {})
    expect(texts.filter(text => /json_to_recordset|unnest\(\s*\$/.test(text))).toEqual([])
    expect(await all()).toEqual([])
    await close()
  })

  test('one that cannot be written, or may not be, fails alone', async () => {
    await storage.scanCodes.suspend('till-2', NOW)
    const known = await start({ attemptKey: 'known' })
    const odd: [Partial<NewPayment>, RegExp][] = [
      [{ scanCode: 'till-2' }, /suspended/],
      [{ totalAmount: 2 ** 70 }, /./],
      [{ extra: { name: 'NUL \0' } }, /./],
      [{ merchantId: 'nobody' }, /nobody is unknown/],
    ]
    for (const [fields, message] of odd) {
      const others = upTo(9).map(() => start())
      const failing = start(fields)
      const again = start({ attemptKey: 'known' })
      const more = upTo(9).map(() => start())
      await expect(failing).rejects.toThrow(message)
      expect(await again).toEqual({ payment: known.payment, created: false })
      for (const { created } of await Promise.all([...others, ...more])) expect(created).toBe(true)
    }
    expect((await all()).map(({ id }) => id)).toEqual(upTo(1 + 18 * odd.length))
  })

  test('of outcomes, one whose payment’s row another has locked waits alone', async () => {
    const started = await Promise.all(upTo(20).map(() => start()))
    await session.run('begin')
    await session.run(
      `select * from ${session.table('payments')} where merchant_id = 'shop' and id = 7 for update`,
    )
    const ending = started.map(async ({ payment }) => {
      const ended = await storage.payments.resolve(payment, completed, NOW)
      return [ended?.payment.id, ended?.changed]
    })
    const others = ending.filter((_, n) => started[n]?.payment.id !== 7)
    expect((await Promise.all(others)).every(([, changed]) => changed)).toBe(true)
    await letGo()
    expect(await ending[started.findIndex(({ payment }) => payment.id === 7)]).toEqual([7, true])
  })

  test('of outcomes, one whose payment cannot be read is given all the same, and the others are told of theirs', async () => {
    const started = await Promise.all(upTo(9).map(() => start()))
    const payments = session.table('payments')
    await session.run(
      `update ${payments} set total_amount = 9007199254740993 where merchant_id = 'shop' and id = 7`,
    )
    const ids = started.map(({ payment }) => payment.id).toSorted((a, b) => a - b)
    const ended = await Promise.allSettled(
      ids.map(id => storage.payments.resolve({ merchantId, id }, completed, NOW)),
    )
    for (const [n, one] of ended.entries()) {
      if (ids[n] === 7) expect(one).toMatchObject({ reason: { name: 'UnreadableRowError' } })
      else expect(one).toMatchObject({ value: { changed: true, payment: { id: ids[n] } } })
    }
    expect(await session.run(`select from ${payments} where status = 'completed'`)).toHaveLength(9)
  })

  test('outcomes that go together wait for nobody who waits for their merchant’s lock', async () => {
    const started = await Promise.all(upTo(9).map(() => start()))
    await holdLock()
    // As many as may take its lock at once, each by itself.
    const starting = upTo(3).map(n => start({ strict: true, merchantReference: `order-${n}` }))
    const ended = await Promise.all(
      started.map(({ payment }) => storage.payments.resolve(payment, completed, NOW)),
    )
    expect(ended.map(one => one?.changed)).toEqual(started.map(() => true))
    await letGo()
    await Promise.all(starting)
  })

  test('each is told in its own time that the lock was not to be had', async () => {
    const limits = { lockTimeoutSeconds: 1, readTimeoutSeconds: 5, writeTimeoutSeconds: 5 }
    const hasty = storageAt(address, {}, limits)
    await start({}, hasty)
    await holdLock()
    const ended = await Promise.allSettled(upTo(30).map(() => start({}, hasty)))
    await letGo()
    for (const one of ended) {
      expect(one).toMatchObject({ status: 'rejected', reason: expect.any(DatabaseError) })
      expect(one).toMatchObject({ reason: { message: expect.stringMatching(/^the lock of merchant shop/) } })
    }
    await hasty.close()
    expect((await all()).map(({ id }) => id)).toEqual([1])
  })

  test('payments of a group and cash ups between groups keep one order', async () => {
    const [starts, cashUps] = [[], []] as [Promise<unknown>[], Promise<unknown>[]]
    for (const n of upTo(8)) {
      for (const _ of upTo(12)) starts.push(start({}, storage, n % 3 === 0 ? LATER : NOW))
      const reference = `${n}`.padStart(32, '0')
      cashUps.push(storage.cashUps.create(merchantId, { reference, idempotencyKey: null, now: NOW }))
    }
    await Promise.all([...starts, ...cashUps])
    const payments = await all()
    expect(payments.map(({ id }) => id)).toEqual(upTo(96))
    expect(payments.map(({ date }) => date)).toEqual(payments.map(({ date }) => date).toSorted())
    const periods = await session.run(
      `select first_payment_id::int as first, last_payment_id::int as last from ${session.table('cash_ups')} order by number`,
    )
    let next = 1
    for (const { first, last } of periods) {
      expect(first).toBe(next)
      next = Number(last) + 1
    }
  })

  describe('a connection that is cut as a group is committed', () => {
    const behind = behindAProxy(() => address)

    /** How twenty starts that wait for the lock end, each of which is listened to before the connection is cut. */
    const startsBehind = async () => {
      await start({}, behind.storage)
      await holdLock()
      const ended = Promise.allSettled(
        upTo(20).map(n => start({ userReference: `cut-${n}` }, behind.storage)),
      )
      await blocked(address)
      return { ended: () => ended }
    }

    test('after it was: each of it is told that nobody knows, once, and all are there', async () => {
      const starts = await startsBehind()
      behind.proxy.cutAfter(/cut-20/)
      await letGo()
      const ended = await starts.ended()
      const unknown = ended.filter(one => one.status === 'rejected')
      expect(unknown.length).toBeGreaterThan(10)
      for (const { reason } of unknown) expect(reason).toBeInstanceOf(CommitUnknownError)
      expect((await all()).map(({ id }) => id)).toEqual(upTo(21))
      expect(new Set((await all()).map(({ userReference }) => userReference)).size).toBe(21)
    })

    test('before the server had it: each is told so, and none is there', async () => {
      const starts = await startsBehind()
      behind.proxy.cutBefore(/cut-20/)
      await letGo()
      const ended = await starts.ended()
      const unknown = ended.flatMap((one, n) => (one.status === 'rejected' ? [`cut-${n + 1}`] : []))
      expect(unknown.length).toBeGreaterThan(10)
      const kept = await all()
      expect(kept.map(({ id }) => id)).toEqual(upTo(21 - unknown.length))
      expect(kept.filter(({ userReference }) => unknown.includes(`${userReference}`))).toEqual([])
    })

    test('outcomes are written again, each once, with one delivery each', async () => {
      const started = await Promise.all(upTo(20).map(() => start({}, behind.storage)))
      behind.proxy.cutAfter(/delivery/)
      const ended = await Promise.all(
        started.map(({ payment }) => behind.storage.payments.resolve(payment, completed, NOW)),
      )
      expect(ended.map(one => one?.payment.status)).toEqual(started.map(() => 'completed'))
      expect((await storage.deliveries.list(merchantId, undefined, ALL)).total).toBe(20)
    })
  })
})
