import { setTimeout as sleep } from 'node:timers/promises'
import type { NewPayment, Outcome } from '@tillkit/domain'
import { UnreadableRowError } from '@tillkit/storage'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { CommitUnknownError, DatabaseError, type DatabaseStorage } from '../src/index.ts'
import { postgresStorage } from '../src/postgres/index.ts'
import { type Address, PATIENT, storageAt } from './engines/address.ts'
import { countedPool } from './engines/counted-pool.ts'
import type { TestDatabase } from './engines/engine.ts'
import { overPostgres } from './engines/index.ts'
import { startProxy } from './faults/proxy.ts'
import { blocked, byPort, openSession, type Session, serverOf } from './faults/session.ts'
import { ALL, attempt, merchantId, NOW, openShop } from './faults/shop.ts'

const completed: Outcome = { status: 'completed' }
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n + 1)
const neighbours = upTo(30).map(n => `neighbour-${n}`)

/** Reads and writes of many merchants that wait for a connection share the statement that gets it. */
overPostgres(({ create }) => {
  let database: TestDatabase
  let address: Extract<Address, { dialect: 'postgres' }>
  let storage: DatabaseStorage
  let session: Session
  let narrow: Narrow

  beforeEach(async () => {
    database = await create()
    if (database.address.dialect !== 'postgres') throw new Error('not PostgreSQL')
    address = database.address
    storage = storageAt(address)
    await storage.migrate()
    await openShop(storage)
    for (const id of neighbours) {
      const features = { tips: false, userReferences: false, deviceLists: false }
      const webhookUrl = 'https://neighbour.example/hook'
      await storage.merchants.create({ id, name: id, webhookUrl, features, createdAt: NOW })
    }
    session = await openSession(address)
    narrow = open()
    await narrow.over.payments.get({ merchantId, id: 1 })
    narrow.texts.length = 0
  })

  afterEach(async () => {
    await session.close()
    await narrow.close()
    await storage.close()
    await database.drop()
  })

  type Narrow = ReturnType<typeof open>

  /** A storage of one connection, whose statements are counted. */
  function open(connectionString = address.connectionString, limits: object = PATIENT) {
    const { pool, texts } = countedPool({ connectionString, max: 1 })
    const over = postgresStorage({ pool, ...limits }, { schema: address.schema })
    const close = async () => {
      await over.close()
      await pool.end()
    }
    return { over, pool, texts, close }
  }

  const start = (merchantId: string, fields: Partial<NewPayment> = {}, over: DatabaseStorage = narrow.over) =>
    over.payments.start(attempt({ merchantId, ...fields }), NOW)
  const lock = async (by: Session, merchantId: string) => {
    await by.run('begin')
    await by.run(`select * from ${by.table('ledgers')} where merchant_id = '${merchantId}' for update`)
  }

  /** Has a start of the shop's wait for its lock, over the one connection that there is; what is returned lets it go on. */
  async function takeConnection(over: DatabaseStorage = narrow.over) {
    await lock(session, merchantId)
    const waiting = start(merchantId, {}, over)
    await blocked(address)
    return async () => {
      await session.run('rollback')
      await waiting
    }
  }

  test('payments of many merchants are asked for at once', async () => {
    const started = await Promise.all(neighbours.map(id => start(id, { userReference: id }, storage)))
    const go = await takeConnection()
    const reading = started.flatMap(({ payment: { merchantId, id } }) =>
      [id, id + 1].map(one => narrow.over.payments.get({ merchantId, id: one })),
    )
    narrow.texts.length = 0
    await go()
    expect(await Promise.all(reading)).toEqual(started.flatMap(({ payment }) => [payment, null]))
    expect(narrow.texts).toHaveLength(1)
  })

  test('so many that one statement is not for all of them', async () => {
    const { payment } = await start('neighbour-1', {}, storage)
    const go = await takeConnection()
    const reading = upTo(250).map(n => narrow.over.payments.get({ ...payment, id: n % 2 }))
    narrow.texts.length = 0
    await go()
    expect(await Promise.all(reading)).toEqual(upTo(250).map(n => (n % 2 ? payment : null)))
    expect(narrow.texts).toHaveLength(3)
  })

  test('payments of many merchants are started at once, and get their outcomes at once', async () => {
    const go = await takeConnection()
    const starting = neighbours.map(id => start(id, { userReference: id, attemptKey: 'key' }))
    narrow.texts.length = 0
    await go()
    const started = await Promise.all(starting)
    expect(narrow.texts).toHaveLength(1)
    expect(started.map(({ created, payment }) => [created, payment.merchantId, payment.id])).toEqual(
      neighbours.map(id => [true, id, 1]),
    )
    const kept = await Promise.all(neighbours.map(id => storage.payments.get({ merchantId: id, id: 1 })))
    expect(kept).toEqual(started.map(({ payment }) => payment))

    const goOn = await takeConnection()
    const ending = started.map(({ payment }) => narrow.over.payments.resolve(payment, completed, NOW))
    narrow.texts.length = 0
    await goOn()
    expect((await Promise.all(ending)).map(one => [one?.changed, one?.payment])).toEqual(
      started.map(({ payment }) => [true, { ...payment, status: 'completed' }]),
    )
    expect(narrow.texts).toHaveLength(1)
    for (const id of neighbours) {
      expect((await storage.deliveries.list(id, undefined, ALL)).total).toBe(1)
    }
  })

  test('whose merchant’s lock another has, or whose payment’s row, waits for that alone', async () => {
    const pending = await Promise.all(neighbours.map(id => start(id, {}, storage)))
    const other = await openSession(address)
    const go = await takeConnection()
    await lock(other, 'neighbour-7')
    const starting = neighbours.map(id => start(id))
    await go()
    const free = starting.filter((_, n) => neighbours[n] !== 'neighbour-7')
    expect((await Promise.all(free)).map(({ payment }) => payment.id)).toEqual(free.map(() => 2))
    await other.run('rollback')
    expect((await starting[6])?.payment.id).toBe(2)

    const goOn = await takeConnection()
    await other.run('begin')
    await other.run(`select * from ${other.table('payments')} where merchant_id = 'neighbour-7' for update`)
    const ending = pending.map(({ payment }) => narrow.over.payments.resolve(payment, completed, NOW))
    await goOn()
    const ended = await Promise.all(ending.filter((_, n) => neighbours[n] !== 'neighbour-7'))
    expect(ended.map(one => one?.changed)).toEqual(ended.map(() => true))
    await other.run('rollback')
    expect((await ending[6])?.changed).toBe(true)
    await other.close()
  })

  test('a scan code that is suspended before, and a key that is used before, are looked at alone', async () => {
    await storage.scanCodes.add({
      code: 'till-7',
      merchantId: 'neighbour-7',
      reference: null,
      createdAt: NOW,
    })
    const go = await takeConnection()
    const starting = neighbours.map(id => start(id, { scanCode: `till-${id.slice(10)}`, attemptKey: 'key' }))
    starting[6]?.catch(() => {})
    await storage.scanCodes.suspend('till-7', NOW)
    const first = await start('neighbour-9', { attemptKey: 'key' }, storage)
    await go()
    await expect(starting[6]).rejects.toThrow(/suspended/)
    expect(await starting[8]).toEqual({ payment: first.payment, created: false })
    expect(narrow.texts.length).toBeLessThan(neighbours.length / 2)
    const others = starting.filter((_, n) => n !== 6 && n !== 8)
    expect((await Promise.all(others)).every(({ created }) => created)).toBe(true)
  })

  test.each([
    ['a scan code is suspended', 'neighbour-7'],
    ['a key is used', 'neighbour-9'],
  ])('%s after the statement began and before it had that merchant’s lock', async (_, whose) => {
    await storage.scanCodes.add({
      code: 'till-7',
      merchantId: 'neighbour-7',
      reference: null,
      createdAt: NOW,
    })
    // The first of the crowd has a code that takes its time, in the one statement of all.
    const [codes, table] = ['scan_codes', 'scan_codes_as_they_are'].map(name => session.table(name))
    const other = await openSession(address)
    await other.run(`alter table ${codes} rename to tillkit_scan_codes_as_they_are`)
    await other.run(
      `create view ${codes} as select code, merchant_id, reference, created_at,
        case when code = 'slow' then (select suspended_at from pg_sleep(1)) else suspended_at end as suspended_at
      from ${table}`,
    )
    await other.run(
      `insert into ${table} (code, merchant_id, created_at) values ('slow', 'neighbour-1', now())`,
    )
    const go = await takeConnection()
    const starting = neighbours.map(id =>
      start(id, { scanCode: id === 'neighbour-1' ? 'slow' : `till-${id.slice(10)}`, attemptKey: 'key' }),
    )
    const answers = Promise.allSettled(starting)
    const gone = go()
    while ((await other.run(`select from pg_stat_activity where wait_event = 'PgSleep'`)).length === 0);
    if (whose === 'neighbour-7') {
      await other.run('begin')
      await other.run(`update ${table} set suspended_at = now() where code = 'till-7'`)
      await other.run(
        `update ${other.table('ledgers')} set suspensions = suspensions + 1 where merchant_id = 'neighbour-7'`,
      )
      await other.run('commit')
    } else await start(whose, { attemptKey: 'key', userReference: 'first' }, storage)
    await gone
    for (const [n, answer] of (await answers).entries()) {
      if (neighbours[n] !== whose)
        expect(answer).toMatchObject({ value: { created: true, payment: { id: 1 } } })
      else if (n === 6)
        expect(answer).toMatchObject({ reason: { message: expect.stringMatching(/suspended/) } })
      else expect(answer).toMatchObject({ value: { created: false, payment: { userReference: 'first' } } })
    }
    await other.close()
  })

  test('one that cannot be asked for, read or written fails alone', async () => {
    const started = await Promise.all(neighbours.map(id => start(id, {}, storage)))
    await session.run(
      `update ${session.table('payments')} set date = '-infinity' where merchant_id = 'neighbour-3'`,
    )
    const go = await takeConnection()
    const reading = started.map(({ payment }) => narrow.over.payments.get(payment))
    const hostile = narrow.over.payments.get({ merchantId: 'NUL \0', id: 1 })
    const settled = Promise.allSettled([...reading, hostile])
    await go()
    const read = await settled
    expect(read.flatMap(({ status }, n) => (status === 'rejected' ? [n] : []))).toEqual([2])
    expect(read[30]).toEqual({ status: 'fulfilled', value: null })
    expect(read[2]).toMatchObject({ reason: expect.any(UnreadableRowError) })

    const goOn = await takeConnection()
    const starting = neighbours.map((id, n) => start(id, n === 4 ? { extra: { name: 'NUL \0' } } : {}))
    const written = Promise.allSettled(starting)
    await goOn()
    expect((await written).flatMap(({ status }, n) => (status === 'rejected' ? [n] : []))).toEqual([4])
    for (const [n, id] of neighbours.entries()) {
      if (n === 2) continue
      expect((await storage.payments.list(id, {}, ALL)).total).toBe(n === 4 ? 1 : 2)
    }
  })

  test('whoever waits too long is told so, in its own time', async () => {
    const warnings: Error[] = []
    const warned = (warning: Error) => warnings.push(warning)
    process.on('warning', warned)
    const hasty = { lockTimeoutSeconds: 60, readTimeoutSeconds: 4, writeTimeoutSeconds: 60 }
    const { over, pool, close } = open(address.connectionString, hasty)
    await over.payments.get({ merchantId, id: 1 })
    const taken = await pool.connect()
    const starting = neighbours.map(id => start(id, {}, over))
    const early = Promise.allSettled(neighbours.map(id => over.payments.get({ merchantId: id, id: 1 })))
    await sleep(2000)
    const late = Promise.all(neighbours.map(id => over.payments.get({ merchantId: id, id: 2 })))
    for (const one of await early) {
      expect(one).toMatchObject({ status: 'rejected', reason: expect.any(DatabaseError) })
    }
    taken.release()
    expect(await late).toEqual(neighbours.map(() => null))
    expect((await Promise.all(starting)).map(({ payment }) => payment.id)).toEqual(neighbours.map(() => 1))
    expect(await over.payments.get({ merchantId: 'neighbour-1', id: 1 })).not.toBeNull()
    await close()
    process.off('warning', warned)
    expect(warnings).toEqual([])
  })

  test('of writes that a cut connection leaves open nobody knows, and reads are asked for again', async () => {
    const started = await Promise.all(neighbours.map(id => start(id, {}, storage)))
    const proxy = await startProxy(serverOf(address))
    const behind = byPort(address, proxy.port) as typeof address
    const { over, close } = open(behind.connectionString)
    await over.payments.get({ merchantId, id: 1 })

    const goRead = await takeConnection(over)
    const reading = started.map(({ payment }) => over.payments.get(payment))
    proxy.cutAfter(/unnest/)
    await goRead()
    expect(await Promise.all(reading)).toEqual(started.map(({ payment }) => payment))

    const goStart = await takeConnection(over)
    const starting = Promise.allSettled(neighbours.map(id => start(id, { userReference: `of ${id}` }, over)))
    proxy.cutAfter(/of neighbour-30/)
    await goStart()
    for (const one of await starting) {
      expect(one).toMatchObject({ status: 'rejected', reason: expect.any(CommitUnknownError) })
    }
    for (const id of neighbours) {
      const { items } = await storage.payments.list(id, {}, ALL)
      expect(items.map(({ userReference }) => userReference)).toEqual([`of ${id}`, null])
    }

    const goEnd = await takeConnection(over)
    const ending = started.map(({ payment }) => over.payments.resolve(payment, completed, NOW))
    proxy.cutAfter(/delivery/)
    await goEnd()
    expect((await Promise.all(ending)).map(one => one?.payment.status)).toEqual(
      neighbours.map(() => 'completed'),
    )
    for (const id of neighbours) {
      expect((await storage.deliveries.list(id, undefined, ALL)).total).toBe(1)
    }
    await close()
    await proxy.close()
  })
})
