import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { NewPayment, Outcome, Payment } from '@tillkit/domain'
import { UnreadableRowError } from '@tillkit/storage'
import { type StatementMessage, statementChannel } from '@tillkit/storage/channels'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DatabaseError, type DatabaseStorage } from '../../src/index.ts'
import { postgresStorage } from '../../src/postgres/index.ts'
import { FUNCTIONS } from '../../src/schema/names.ts'
import { PATIENT } from '../engines/address.ts'
import { askCitus, createOnCitus } from '../engines/citus.ts'
import { countedPool } from '../engines/counted-pool.ts'
import { overCitus } from '../engines/over-citus.ts'
import { openSession } from '../faults/session.ts'
import { ALL, attempt, NOW, openShop } from '../faults/shop.ts'
import { placeOf } from './place-of.ts'

const LATER = '2099-01-01T00:00:00.000Z'
const SHOPS = Array.from({ length: 24 }, (_, n) => `shop-${n}`)

/** Reads and writes of merchants whose rows are at one node share what is sent there. */
overCitus(() => {
  let database: Awaited<ReturnType<typeof createOnCitus>>
  let storage: DatabaseStorage
  let counted: ReturnType<typeof open>
  let nodes: number

  /** A storage whose statements are counted. */
  function open(limits: object = PATIENT, max = 10) {
    const { pool, texts } = countedPool({ connectionString: database.connectionString, max })
    const over = postgresStorage({ pool, ...limits }, { schema: database.schema })
    const close = async () => {
      await over.close()
      await pool.end()
    }
    return { over, pool, texts, close }
  }

  const start = (
    merchantId: string,
    fields: Partial<NewPayment> = {},
    over: DatabaseStorage = counted.over,
  ) => over.payments.start(attempt({ merchantId, ...fields }), NOW)
  const complete = (payment: Payment) => counted.over.payments.resolve(payment, { status: 'completed' }, NOW)

  /** How many statements were sent, but for those that ask now and then where shards are. */
  const sent = () => counted.texts.filter(text => !text.includes('pg_dist_')).length

  /** Reads until it knows at which node each of them is: from then on what is read of them goes together. */
  async function acquaint(merchantIds = SHOPS) {
    do {
      counted.texts.length = 0
      await Promise.all(
        merchantIds.flatMap(merchantId => [1, 2].map(id => counted.over.payments.get({ merchantId, id }))),
      )
    } while (sent() > few())
    counted.texts.length = 0
  }

  beforeEach(async () => {
    database = await createOnCitus()
    storage = database.storage
    for (const id of SHOPS) await openShop(storage, id)
    const [found] = await askCitus(
      `select count(distinct nodeport)::int as nodes from pg_dist_shard_placement
       where shardid in (select shardid from pg_dist_shard where logicalrelid = '"${database.schema}".tillkit_payments'::regclass)`,
    )
    nodes = Number(found?.nodes)
    counted = open()
    await acquaint()
  })

  afterEach(async () => {
    await counted.close()
    await database.drop()
  })

  /** Does it while another transaction has these rows of a table locked, and ends that. */
  async function whileLocked(table: string, rows: string, work: () => Promise<void>) {
    const other = await openSession(database.address)
    try {
      await other.run('begin')
      await other.run(`select from ${other.table(table)} where ${rows} for update`)
      await work()
    } finally {
      await other.close()
    }
  }

  /** How often a function was called. */
  const calls = (name: string) => counted.texts.filter(text => text.includes(`_${name}"(`)).length

  /** One that goes at once, one beside it, and what waits for either. */
  const few = () => 3 * nodes

  test('payments of many merchants are started, get their outcomes and are read in a few statements', async () => {
    const starts = await Promise.all(SHOPS.map(id => start(id, { userReference: id, attemptKey: 'key' })))
    expect(sent()).toBeLessThanOrEqual(few())
    expect(starts.map(({ created, payment }) => [created, payment.merchantId, payment.id])).toEqual(
      SHOPS.map(id => [true, id, 1]),
    )
    const payments = starts.map(({ payment }) => payment)
    expect(await Promise.all(payments.map(one => storage.payments.get(one)))).toEqual(payments)

    counted.texts.length = 0
    const timeOf = (n: number) => new Date(Date.parse(NOW) + n).toISOString()
    const traceOf = (n: number) => `00-${`${n + 1}`.padStart(32, '0')}-${'b'.repeat(16)}-01`
    const ends = await Promise.all(
      payments.map((payment, n) =>
        counted.over.payments.resolve(payment, { status: 'completed' }, timeOf(n), traceOf(n)),
      ),
    )
    expect(sent()).toBeLessThanOrEqual(few())
    const completed = payments.map(payment => ({ ...payment, status: 'completed' }))
    expect(ends).toEqual(completed.map(payment => ({ changed: true, payment, claimed: undefined })))
    for (const [n, id] of SHOPS.entries()) {
      const { items } = await storage.deliveries.list(id, undefined, ALL)
      expect(items).toMatchObject([{ paymentId: 1, createdAt: timeOf(n), nextAttemptAt: timeOf(n) }])
    }
    const claimed = await storage.deliveries.claim({ now: LATER, leaseUntil: LATER, limit: 100 })
    expect(claimed.map(({ traceparent }) => traceparent)).toEqual(SHOPS.map((_, n) => traceOf(n)))

    counted.texts.length = 0
    const keys = completed.flatMap(({ merchantId }) => [1, 2, 1].map(id => ({ merchantId, id })))
    const found = await Promise.all(keys.map(key => counted.over.payments.get(key)))
    expect(found).toEqual(completed.flatMap(one => [one, null, one]))
    expect(sent()).toBeLessThanOrEqual(few())

    const again = await Promise.all(payments.map(complete))
    expect(again.map(one => [one?.changed, one?.payment])).toEqual(completed.map(one => [false, one]))
  })

  test('ids have no gap, however many go together', async () => {
    const rounds = Array.from({ length: 8 }, () => SHOPS).flat()
    const started = await Promise.all(rounds.map(id => start(id)))
    expect(sent()).toBeLessThan(rounds.length / 2)
    for (const id of SHOPS) {
      const ids = started.filter(({ payment }) => payment.merchantId === id).map(({ payment }) => payment.id)
      expect(ids.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    }
  })

  test.each<[name: string, outcomeOf: (n: number) => Outcome, apart: number]>([
    ['alike', () => ({ status: 'completed' }), 1],
    ['alike, far from each other', () => ({ status: 'completed' }), 20],
    ['failed alike', () => ({ status: 'error', failure: 'REJECTED' }), 1],
    ['failed in two ways', n => ({ status: 'error', failure: n % 3 ? 'REJECTED' : 'EXPIRED' }), 1],
    ['unlike', n => (n % 3 ? { status: 'completed' } : { status: 'error', failure: 'REJECTED' }), 1],
  ])('outcomes of one merchant go together, each as it is: %s', async (_, outcomeOf, apart) => {
    const all = await Promise.all(Array.from({ length: 12 * apart }, () => start('shop-0')))
    const started = all
      .map(({ payment }) => payment)
      .filter(({ id }) => id % apart === 0)
      .toSorted((a, b) => a.id - b.id)
    const traceOf = ({ id }: Payment) => `00-${`${id}`.padStart(32, '0')}-${'b'.repeat(16)}-01`
    const timeOf = ({ id }: Payment) => new Date(Date.parse(NOW) + id).toISOString()
    counted.texts.length = 0
    const ended = await Promise.all(
      started.map((payment, n) =>
        counted.over.payments.resolve(payment, outcomeOf(n), timeOf(payment), traceOf(payment)),
      ),
    )
    expect(sent()).toBeLessThan(6)
    const wanted = started.map((payment, n) => ({ ...payment, ...outcomeOf(n) }))
    expect(ended).toEqual(wanted.map(payment => ({ changed: true, payment, claimed: undefined })))
    expect(await Promise.all(started.map(payment => storage.payments.get(payment)))).toEqual(wanted)
    const claimed = await storage.deliveries.claim({ now: LATER, leaseUntil: LATER, limit: 100 })
    expect(claimed.map(one => [one.paymentId, one.traceparent])).toEqual(
      started.map(payment => [payment.id, traceOf(payment)]),
    )
    const { items } = await storage.deliveries.list('shop-0', undefined, ALL)
    expect(items.map(({ createdAt }) => createdAt).toSorted()).toEqual(started.map(timeOf).toSorted())
    const pending = await storage.payments.list('shop-0', { status: ['pending'] }, ALL)
    expect(pending.total).toBe(all.length - started.length)
  })

  test('an outcome stays, whoever comes with another', async () => {
    const bare = SHOPS.map(id => `bare-${id}`)
    const features = { tips: false, userReferences: false, deviceLists: false }
    for (const id of bare) {
      await storage.merchants.create({ id, name: id, webhookUrl: null, features, createdAt: NOW })
    }
    const ids = bare.flatMap((id, n) => [id, SHOPS[n] ?? ''])
    const payments = (await Promise.all(ids.map(id => start(id)))).map(({ payment }) => payment)
    await acquaint(ids)
    const failure = { status: 'error', failure: 'REJECTED' } as const
    const ended = await Promise.all(payments.map(one => counted.over.payments.resolve(one, failure, NOW)))
    expect(ended.every(one => one?.changed)).toBe(true)
    const again = await Promise.all(payments.map(complete))
    expect(again.map(one => [one?.changed, one?.payment])).toEqual(
      payments.map(one => [false, { ...one, ...failure }]),
    )
    // A merchant without a webhook has no deliveries, whoever goes with it.
    for (const id of bare) expect((await storage.deliveries.list(id, undefined, ALL)).total).toBe(0)
    for (const id of SHOPS) expect((await storage.deliveries.list(id, undefined, ALL)).total).toBe(1)
  })

  test('whose lock another has, whose code is suspended and whose key is used is looked at alone', async () => {
    await storage.scanCodes.add({ code: 'code-2', merchantId: 'shop-2', reference: null, createdAt: NOW })
    await storage.scanCodes.suspend('code-2', NOW)
    const first = await start('shop-3', { attemptKey: 'key' }, storage)
    await storage.merchants.suspend('shop-4', NOW)
    // Whoever comes first to a node goes alone there: here that is none of these.
    const order = [...SHOPS.slice(12), ...SHOPS.slice(0, 12)]
    const starting = new Map<string, ReturnType<typeof start>>()
    await whileLocked('ledgers', `merchant_id = 'shop-1'`, async () => {
      for (const id of order) {
        starting.set(id, start(id, { attemptKey: 'key', scanCode: `code-${id.slice(5)}` }))
      }
      void Promise.allSettled(starting.values())
      for (const id of order) {
        if (['shop-1', 'shop-2', 'shop-3', 'shop-4'].includes(id)) continue
        expect(await starting.get(id)).toMatchObject({ created: true, payment: { merchantId: id, id: 1 } })
      }
      expect(calls(FUNCTIONS.start)).toBeLessThanOrEqual(4 + 2 * nodes)
      expect(await starting.get('shop-3')).toEqual({ payment: first.payment, created: false })
      await expect(starting.get('shop-2')).rejects.toThrow(/suspended/)
      await expect(starting.get('shop-4')).rejects.toThrow(/suspended/)
    })
    expect(await starting.get('shop-1')).toMatchObject({ created: true, payment: { id: 1 } })

    const ids = order.filter(id => !['shop-2', 'shop-4'].includes(id))
    const found = await Promise.all(ids.map(merchantId => storage.payments.get({ merchantId, id: 1 })))
    const ending = new Map<string, ReturnType<typeof complete>>()
    await whileLocked('payments', `merchant_id = 'shop-1'`, async () => {
      for (const payment of found) if (payment) ending.set(payment.merchantId, complete(payment))
      void Promise.allSettled(ending.values())
      for (const id of ids) if (id !== 'shop-1') expect((await ending.get(id))?.changed).toBe(true)
      expect(calls(FUNCTIONS.resolve)).toBeLessThanOrEqual(1 + 2 * nodes)
    })
    expect((await ending.get('shop-1'))?.changed).toBe(true)
  })

  test('whoever comes to a node first, and waits for a lock, keeps nobody who comes after', async () => {
    const starting: ReturnType<typeof start>[] = []
    await whileLocked('ledgers', `merchant_id = 'shop-1'`, async () => {
      let isAnswered = false
      starting.push(start('shop-1').finally(() => (isAnswered = true)))
      const others = SHOPS.filter(id => id !== 'shop-1').map(id => start(id))
      const ended = await Promise.all(others)
      expect(ended.every(({ created }) => created)).toBe(true)
      const ending = await Promise.all(ended.map(({ payment }) => complete(payment)))
      expect(ending.every(one => one?.changed)).toBe(true)
      expect(isAnswered).toBe(false)
    })
    expect(await Promise.all(starting)).toMatchObject([{ created: true }])
  })

  test('of one merchant what another has locked is passed by, and waited for alone', async () => {
    const started = await Promise.all(Array.from({ length: 12 }, () => start('shop-0')))
    const locked = started[7]?.payment as Payment
    const ending: ReturnType<typeof complete>[] = []
    await whileLocked('payments', `merchant_id = 'shop-0' and id = ${locked.id}`, async () => {
      for (const { payment } of started) ending.push(complete(payment))
      void Promise.allSettled(ending)
      const free = ending.filter((_, n) => started[n]?.payment.id !== locked.id)
      expect((await Promise.all(free)).every(one => one?.changed)).toBe(true)
      expect((await storage.payments.get(locked))?.status).toBe('pending')
    })
    expect((await Promise.all(ending)).every(one => one?.changed)).toBe(true)
    expect((await storage.deliveries.list('shop-0', undefined, ALL)).total).toBe(12)
  })

  test('a merchant may have any id', async () => {
    const ids = ["o'shop", 'back\\slash', '$sql$', '%L', '$1', 'x'.repeat(99)]
    for (const id of ids) await openShop(storage, id)
    const read = () => Promise.all(ids.map(id => counted.over.payments.get({ merchantId: id, id: 1 })))
    await acquaint(ids)
    const started = (await Promise.all(ids.map(id => start(id)))).map(({ payment }) => payment)
    expect(started.map(({ merchantId, id }) => [merchantId, id])).toEqual(ids.map(id => [id, 1]))
    const ended = await Promise.all(started.map(complete))
    expect(ended.map(one => one?.payment)).toEqual(
      started.map(payment => ({ ...payment, status: 'completed' })),
    )
    expect(await read()).toEqual(ended.map(one => one?.payment))
  })

  test('nobody has what has the id of no merchant', async () => {
    const asked = ['\0', 'a\0b', ''].flatMap(merchantId => [1, 2].map(id => ({ merchantId, id })))
    const found = await Promise.all(asked.map(key => counted.over.payments.get(key)))
    expect(found).toEqual(asked.map(() => null))
  })

  test('what cannot be read or written is told to whoever asked for it', async () => {
    const started = await Promise.all(SHOPS.map(id => start(id)))
    await askCitus(
      `update "${database.schema}".tillkit_payments set extra = '7' where merchant_id = 'shop-2' and id = 1`,
    )
    const read = await Promise.allSettled(started.map(({ payment }) => counted.over.payments.get(payment)))
    expect(read.flatMap(({ status }, n) => (status === 'rejected' ? [n] : []))).toEqual([2])
    expect(read[2]).toMatchObject({ reason: expect.any(UnreadableRowError) })
    const starting = SHOPS.map((id, n) => start(id, n === 20 ? { extra: { name: 'NUL \0' } } : {}))
    const written = await Promise.allSettled(starting)
    expect(written.flatMap(({ status }, n) => (status === 'rejected' ? [n] : []))).toEqual([20])
    const counts = await Promise.all(SHOPS.map(async id => (await storage.payments.idRange(id, {}))?.last))
    expect(counts).toEqual(SHOPS.map((_, n) => (n === 20 ? 1 : 2)))
  })

  test('what is shared is sent in the context of the one of them that has waited longest', async () => {
    const caller = new AsyncLocalStorage<number>()
    const whose: (number | undefined)[] = []
    // Where merchants are is asked beside, in the context of whoever comes just then.
    const hear = ({ name }: StatementMessage) => {
      if (name.includes(FUNCTIONS.find)) whose.push(caller.getStore())
    }
    statementChannel.start.subscribe(hear as (message: unknown) => void)
    const rounds = Array.from({ length: 10 }, () => SHOPS).flat()
    await Promise.all(
      rounds.map((merchantId, n) => caller.run(n, () => counted.over.payments.get({ merchantId, id: 1 }))),
    )
    statementChannel.start.unsubscribe(hear as (message: unknown) => void)
    expect(whose.length).toBeLessThan(rounds.length / 4)
    expect(new Set(whose).size).toBe(whose.length)
  })

  test('each is told when its own time is over, and those who come later are answered', async () => {
    const { payment } = await start('shop-0')
    const hurried = open({ readTimeoutSeconds: 1 }, 1)
    await hurried.over.payments.get(payment)
    const taken = await hurried.pool.connect()
    const late = [1, 2].map(id => hurried.over.payments.get({ merchantId: 'shop-0', id }))
    const ends = await Promise.allSettled(late)
    expect(ends.map(one => one.status === 'rejected' && one.reason)).toEqual([
      expect.any(DatabaseError),
      expect.any(DatabaseError),
    ])
    taken.release()
    expect(await hurried.over.payments.get(payment)).toEqual(payment)
    await hurried.close()
  })

  test('that the time of one is over says nothing of those that go with it', async () => {
    const { payment } = await start('shop-0')
    const hurried = open({ readTimeoutSeconds: 2 }, 1)
    await hurried.over.payments.get(payment)
    await sleep(300)
    const taken = await hurried.pool.connect()
    const ask = (ids: number[]) => ids.map(id => hurried.over.payments.get({ merchantId: 'shop-0', id }))
    const early = Promise.allSettled(ask([1, 2, 3]))
    await sleep(1500)
    const late = Promise.all(ask([1, 2]))
    expect((await early).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    taken.release()
    expect(await late).toEqual([payment, null])
    await hurried.close()
  })

  test('no more of a merchant is read than is asked for, whatever is known of its shard', async () => {
    for (let n = 0; n < 20; n++) {
      const group = await Promise.all(Array.from({ length: 100 }, () => start('shop-0', {}, storage)))
      await Promise.all(
        group
          .filter(({ payment }) => (payment.id - 1) % 100 >= 50)
          .map(({ payment }) => storage.payments.resolve(payment, { status: 'completed' }, LATER)),
      )
    }
    const { host, port } = await placeOf(database.schema, 'shop-0')
    const address = new URL(database.connectionString)
    address.host = `${host}:${port}`
    const pool = new pg.Pool({ connectionString: address.href, max: 1 })
    const there = postgresStorage({ pool, ...PATIENT }, { schema: database.schema })
    const readThere = async () => {
      await pool.query('set citus.override_table_visibility = off')
      await pool.query('select pg_stat_force_next_flush()')
      const { rows } = await pool.query(
        `select sum(seq_tup_read + idx_tup_fetch)::int as rows from pg_stat_all_tables
         where schemaname = $1 and relname ~ '^tillkit_(payments|deliveries)_[0-9]'`,
        [database.schema],
      )
      return Number(rows[0]?.rows)
    }
    await there.payments.get({ merchantId: 'shop-0', id: 1 })
    await sleep(300)
    const some = Array.from({ length: 16 }, (_, n) => n)
    for (const ids of [some.map(n => 100 * n + 1), some.map(n => 3 * n + 2)]) {
      const before = await readThere()
      await Promise.all(ids.map(id => there.payments.get({ merchantId: 'shop-0', id })))
      await Promise.all(
        ids.map(id => there.payments.resolve({ merchantId: 'shop-0', id }, { status: 'completed' }, NOW)),
      )
      await there.payments.list('shop-0', {}, { skip: 500, limit: 20 })
      const claimed = await there.deliveries.claim({ now: NOW, leaseUntil: LATER, limit: ids.length })
      expect(claimed.map(({ paymentId }) => paymentId)).toEqual(ids)
      const looked = (await readThere()) - before
      expect(looked).toBeGreaterThan(4 * ids.length)
      expect(looked).toBeLessThan(20 * ids.length)
    }
    await there.close()
    await pool.end()
  })
})
