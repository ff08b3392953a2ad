import type { NewPayment, Outcome } from '@tillkit/domain'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { DatabaseStorage } from '../src/index.ts'
import { mysqlStorage } from '../src/mysql/index.ts'
import { type Address, PATIENT, storageAt } from './engines/address.ts'
import { countedMysqlPool } from './engines/counted-mysql-pool.ts'
import type { TestDatabase } from './engines/engine.ts'
import { overMysql } from './engines/index.ts'
import { startProxy } from './faults/proxy.ts'
import { blocked, byPort, openSession, type Session, serverOf } from './faults/session.ts'
import { ALL, attempt, merchantId, NOW, openShop } from './faults/shop.ts'

const completed: Outcome = { status: 'completed' }
const UNTIL = '2026-11-20T09:31:00.000Z'
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n + 1)
const neighbours = upTo(30).map(n => `neighbour-${n}`)

/** Writes on MariaDB that wait for each other, or for a connection, share a transaction of a few statements. */
overMysql(({ create }) => {
  let database: TestDatabase
  let address: Extract<Address, { dialect: 'mysql' }>
  let storage: DatabaseStorage
  let narrow: DatabaseStorage
  let session: Session
  let sent: string[]
  let ends: (() => Promise<unknown>)[]

  beforeEach(async () => {
    ends = []
    database = await create()
    if (database.address.dialect !== 'mysql') throw new Error('not MySQL')
    address = database.address
    storage = storageAt(address)
    await storage.migrate()
    await openShop(storage)
    for (const id of neighbours) await openShop(storage, id)
    session = await openSession(address)
    narrow = open(address.uri)
    await narrow.payments.get({ merchantId, id: 1 })
  })

  afterEach(async () => {
    await session.close()
    for (const end of ends) await end()
    await storage.close()
    await database.drop()
  })

  /** A storage of one connection, whose statements are noted. */
  function open(uri: string): DatabaseStorage {
    const { pool, texts } = countedMysqlPool({ uri, connectionLimit: 1 })
    sent = texts
    ends.push(() => pool.promise().end())
    return mysqlStorage({ pool, ...PATIENT })
  }

  const start = (id: string, fields: Partial<NewPayment> = {}, over = narrow, now: string | null = NOW) =>
    over.payments.start(attempt({ merchantId: id, ...fields }), now)
  const lock = async (id: string, table = 'ledgers') => {
    await session.run('begin')
    await session.run(`select * from ${session.table(table)} where merchant_id = '${id}' for update`)
  }
  const letGo = () => session.run('rollback')
  const commits = () => sent.filter(text => text === 'commit').length
  const deliveriesOf = async (id: string) => (await storage.deliveries.list(id, undefined, ALL)).items

  /** Has a start of the shop's wait for its lock, over the one connection that there is; what is returned lets it go on. */
  async function takeConnection(over = narrow) {
    await lock(merchantId)
    const waiting = start(merchantId, {}, over)
    await blocked(address)
    sent.length = 0
    return async () => {
      await letGo()
      await waiting
    }
  }

  test('starts and outcomes of many merchants that wait for a connection share two transactions', async () => {
    const go = await takeConnection()
    const starting = neighbours.map(id => start(id, { userReference: id, attemptKey: 'key' }))
    await go()
    const started = await Promise.all(starting)
    expect(commits()).toBe(2)
    expect(sent.length).toBeLessThan(20)
    expect(started.map(({ created, payment }) => [created, payment.merchantId, payment.id])).toEqual(
      neighbours.map(id => [true, id, 1]),
    )
    const kept = await Promise.all(started.map(({ payment }) => storage.payments.get(payment)))
    expect(kept).toEqual(started.map(({ payment }) => payment))

    const goOn = await takeConnection()
    const ending = started.map(({ payment }, n) =>
      n % 3 > 0
        ? narrow.payments.resolve(payment, completed, NOW)
        : narrow.payments.resolve(payment, { status: 'error', failure: `no ${n} ‘𝄞’ "\\` }, NOW),
    )
    await goOn()
    expect((await Promise.all(ending)).map(one => [one?.changed, one?.payment])).toEqual(
      started.map(({ payment }, n) => {
        const ended = {
          status: n % 3 > 0 ? 'completed' : 'error',
          failure: n % 3 > 0 ? null : `no ${n} ‘𝄞’ "\\`,
        }
        return [true, { ...payment, ...ended }]
      }),
    )
    expect(commits()).toBe(2)
    expect(sent.length).toBeLessThan(20)
    const after = await Promise.all(ending)
    for (const [n, id] of neighbours.entries()) {
      expect(await storage.payments.get({ merchantId: id, id: 1 })).toEqual(after[n]?.payment)
      const [delivery, ...more] = await deliveriesOf(id)
      expect(more).toEqual([])
      expect(delivery).toMatchObject({ state: 'pending', attempts: 0, nextAttemptAt: NOW, createdAt: NOW })
    }
  })

  test('those of one merchant share one too, each with its own trace, time and lease', async () => {
    await lock(merchantId)
    // The half of a pair that one ends in is no JSON that MariaDB takes.
    const starting = upTo(60).map(n => start(merchantId, { userReference: `${n} \ud83d` }))
    await blocked(address)
    await letGo()
    const started = await Promise.all(starting)
    expect(started.map(({ payment }) => payment.id).toSorted((a, b) => a - b)).toEqual(upTo(60))
    expect(commits()).toBeLessThanOrEqual(3)

    sent.length = 0
    const trace = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
    const ended = await Promise.all(
      started.map(({ payment }) =>
        narrow.payments.resolve(
          payment,
          completed,
          NOW,
          payment.id % 2 ? trace : null,
          payment.id % 3 ? null : UNTIL,
        ),
      ),
    )
    expect(commits()).toBeLessThanOrEqual(3)
    for (const one of ended) {
      if (one === null) throw new Error('an outcome went missing')
      const { payment, claimed } = one
      if (payment.id % 3) expect(claimed).toBeUndefined()
      else {
        const traceparent = payment.id % 2 ? trace : null
        const lease = { merchantId, paymentId: payment.id, attempts: 0, fence: 1, traceparent, payment }
        expect(claimed).toMatchObject({ ...lease, webhookUrl: 'https://shop.example/hook' })
      }
    }
    for (const { paymentId, nextAttemptAt } of await deliveriesOf(merchantId)) {
      expect(nextAttemptAt).toBe(paymentId % 3 ? NOW : UNTIL)
    }
    // What is the caller's own nobody else gets.
    const claimed = await storage.deliveries.claim({ now: NOW, leaseUntil: UNTIL, limit: 100 })
    expect(claimed.map(({ paymentId }) => paymentId % 3 > 0)).toEqual(upTo(40).map(() => true))
    expect(claimed.filter(({ traceparent }) => traceparent !== null)).toHaveLength(20)
  })

  test('nothing is written for a merchant without a webhook, or leased at a paused endpoint', async () => {
    const features = { tips: false, userReferences: false, deviceLists: false }
    const silent = ['mute', 'dumb']
    for (const id of silent) {
      await storage.merchants.create({ id, name: id, webhookUrl: null, features, createdAt: NOW })
    }
    await session.run(
      `insert into ${session.table('failing_endpoints')} values ('neighbour-1', '2026-11-01', '2026-11-10')`,
    )
    const ids = [...silent, ...neighbours]
    const started = await Promise.all(ids.map(id => start(id, {}, storage)))
    const go = await takeConnection()
    const ending = started.map(({ payment }) =>
      narrow.payments.resolve(payment, completed, null, null, UNTIL),
    )
    await go()
    const [mute, dumb, paused, ...others] = await Promise.all(ending)
    for (const one of [mute, dumb]) expect([one?.changed, one?.claimed]).toEqual([true, undefined])
    for (const id of silent) expect(await deliveriesOf(id)).toEqual([])
    expect([paused?.changed, paused?.claimed]).toEqual([true, undefined])
    expect(await deliveriesOf('neighbour-1')).toMatchObject([{ state: 'pending', attempts: 0 }])
    for (const one of others) expect(one?.claimed).toMatchObject({ fence: 1, failingSince: null })
    const attempt = { at: NOW, status: 200, milliseconds: 1, error: null, answer: null }
    for (const one of others) {
      if (!one?.claimed) throw new Error('nothing was handed over')
      const { merchantId, paymentId, fence } = one.claimed
      const result = { merchantId, paymentId, fence, state: 'delivered' as const, nextAttemptAt: null }
      expect(await storage.deliveries.record({ ...result, attempt })).toBe(true)
    }

    // Of those that had theirs no other is taken, whether or not a delivery would be there twice.
    for (const ended of [started.slice(0, silent.length), started]) {
      const goOn = await takeConnection()
      const again = ended.map(({ payment }) =>
        narrow.payments.resolve(payment, { status: 'error', failure: 'late' }, NOW),
      )
      await goOn()
      for (const one of await Promise.all(again)) {
        expect([one?.changed, one?.payment.status, one?.payment.failure]).toEqual([false, 'completed', null])
      }
    }
  })

  test('the database’s time is put where none is given, and no date is before the last', async () => {
    await session.run(
      `update ${session.table('ledgers')} set last_date = '2099-01-01' where merchant_id = 'neighbour-2'`,
    )
    const go = await takeConnection()
    const starting = neighbours.map((id, n) => start(id, {}, narrow, n % 2 ? null : NOW))
    await go()
    const [row] = await session.run('select cast(utc_timestamp() as char) as now')
    const now = `${String(row?.now).replace(' ', 'T')}Z`
    for (const [n, { payment }] of (await Promise.all(starting)).entries()) {
      if (n === 1) expect(payment.date).toBe('2099-01-01T00:00:00Z')
      else if (n % 2 === 0) expect(payment.date).toBe('2026-11-20T09:30:00Z')
      else expect(Math.abs(Date.parse(payment.date) - Date.parse(now))).toBeLessThan(60_000)
      expect(await storage.payments.get(payment)).toEqual(payment)
    }
  })

  test('whose merchant’s lock another has, or whose payment’s row, waits for that alone', async () => {
    const pending = await Promise.all(neighbours.map(id => start(id, {}, storage)))
    const other = await openSession(address)
    const hold = async (table: string) => {
      await other.run('begin')
      await other.run(`select * from ${other.table(table)} where merchant_id = 'neighbour-7' for update`)
    }
    const go = await takeConnection()
    await hold('ledgers')
    const starting = neighbours.map(id => start(id))
    await go()
    const free = starting.filter((_, n) => neighbours[n] !== 'neighbour-7')
    expect((await Promise.all(free)).map(({ payment }) => payment.id)).toEqual(free.map(() => 2))
    await other.run('rollback')
    expect((await starting[6])?.payment.id).toBe(2)

    const goOn = await takeConnection()
    await hold('payments')
    const ending = pending.map(({ payment }) => narrow.payments.resolve(payment, completed, NOW))
    await goOn()
    const ended = await Promise.all(ending.filter((_, n) => neighbours[n] !== 'neighbour-7'))
    expect(ended.map(one => one?.changed)).toEqual(ended.map(() => true))
    await other.run('rollback')
    expect((await ending[6])?.changed).toBe(true)
    await other.close()
  })

  test('who is suspended, or whose scan code is, and a key that is used before, are looked at alone', async () => {
    for (const id of ['neighbour-7', 'neighbour-8']) {
      const code = { code: `till-${id}`, merchantId: id, reference: null, createdAt: NOW }
      await storage.scanCodes.add(code)
    }
    await storage.scanCodes.suspend('till-neighbour-7', NOW)
    await storage.merchants.suspend('neighbour-11', NOW)
    const first = await start('neighbour-9', { attemptKey: 'key' }, storage)
    await start('neighbour-10', { attemptKey: 'another' }, storage)
    const go = await takeConnection()
    const starting = neighbours.map(id => start(id, { scanCode: `till-${id}`, attemptKey: 'key' }))
    const nobody = start('nobody')
    const settled = Promise.allSettled([...starting, nobody])
    await go()
    for (const [n, one] of (await settled).entries()) {
      const id = neighbours[n]
      if (id === 'neighbour-7' || id === 'neighbour-11') {
        expect(one).toMatchObject({ reason: { message: expect.stringMatching(/suspended/) } })
      } else if (id === 'neighbour-9') {
        expect(one).toEqual({ status: 'fulfilled', value: { payment: first.payment, created: false } })
      } else if (id === undefined) {
        expect(one).toMatchObject({ reason: { message: expect.stringMatching(/nobody is unknown/) } })
      } else {
        const number = id === 'neighbour-10' ? 2 : 1
        expect(one).toMatchObject({ value: { created: true, payment: { id: number } } })
      }
    }
  })

  test('one that cannot be written fails alone, and another’s outcome stays', async () => {
    const started = await Promise.all(neighbours.map(id => start(id, {}, storage)))
    const declined: Outcome = { status: 'error', failure: 'declined' }
    const [fifth] = started.slice(4)
    if (!fifth) throw new Error('nothing was started')
    await storage.payments.resolve(fifth.payment, declined, NOW)
    const go = await takeConnection()
    const starting = neighbours.map((id, n) => start(id, n === 3 ? { totalAmount: 2 ** 70 } : {}))
    const written = Promise.allSettled(starting)
    await go()
    expect((await written).flatMap(({ status }, n) => (status === 'rejected' ? [n] : []))).toEqual([3])

    const goOn = await takeConnection()
    const ending = started.map(({ payment }) => narrow.payments.resolve(payment, completed, NOW))
    const gone = narrow.payments.resolve({ merchantId, id: 99 }, completed, NOW)
    await goOn()
    expect(await gone).toBeNull()
    for (const [n, one] of (await Promise.all(ending)).entries()) {
      expect([one?.changed, one?.payment.status]).toEqual(n === 4 ? [false, 'error'] : [true, 'completed'])
    }
    for (const id of neighbours) expect(await deliveriesOf(id)).toHaveLength(1)
  })

  test('a strict reference is free again after an error and taken after a success', async () => {
    const strict = { strict: true, merchantReference: 'order', requiredAmount: 100 }
    const [paid, failed] = ['neighbour-1', 'neighbour-2'].map(id => start(id, strict, storage))
    const pending = await Promise.all([paid, failed])
    const go = await takeConnection()
    const ending = pending.map(
      one =>
        one &&
        narrow.payments.resolve(
          one.payment,
          one.payment.merchantId === 'neighbour-1' ? completed : { status: 'error', failure: 'declined' },
          NOW,
        ),
    )
    await go()
    await Promise.all(ending)
    const guarded = await session.run(
      `select merchant_id, guarded_reference from ${session.table('payments')}
      where guarded_reference is not null`,
    )
    expect(guarded).toEqual([{ merchant_id: 'neighbour-1', guarded_reference: 'order' }])
    expect((await start('neighbour-1', strict, storage)).payment.failure).toBe('reference_taken')
    expect((await start('neighbour-2', strict, storage)).payment.status).toBe('pending')
  })

  test('what a cut connection undoes is written once more, each by itself', async () => {
    const started = await Promise.all(neighbours.map(id => start(id, {}, storage)))
    const proxy = await startProxy(serverOf(address))
    const over = open((byPort(address, proxy.port) as typeof address).uri)
    await over.payments.get({ merchantId, id: 1 })
    const goStart = await takeConnection(over)
    const starting = neighbours.map(id => start(id, { userReference: `of ${id}` }, over))
    proxy.cutAfter(/of neighbour-30/)
    await goStart()
    await Promise.all(starting)
    for (const id of neighbours) {
      const { items } = await storage.payments.list(id, {}, ALL)
      expect(items.map(({ userReference }) => userReference)).toEqual([`of ${id}`, null])
    }

    const goEnd = await takeConnection(over)
    const ending = started.map(({ payment }) => over.payments.resolve(payment, completed, NOW))
    proxy.cutAfter(/lease_until/)
    await goEnd()
    expect((await Promise.all(ending)).map(one => one?.payment.status)).toEqual(
      neighbours.map(() => 'completed'),
    )
    for (const id of neighbours) expect(await deliveriesOf(id)).toHaveLength(1)
    expect(proxy.cuts()).toBe(2)
    await proxy.close()
  })
})
