import type { NewPayment, Payment } from '@tillkit/domain'
import { type ConnectionMessage, connectionChannel } from '@tillkit/storage/channels'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { DatabaseStorage } from '../../../src/index.ts'
import { postgresStorage } from '../../../src/postgres/index.ts'
import { FUNCTIONS } from '../../../src/schema/names.ts'
import { PATIENT } from '../../engines/address.ts'
import { askCitus, createOnCitus } from '../../engines/citus.ts'
import { overCitus } from '../../engines/over-citus.ts'
import { openSession } from '../../faults/session.ts'
import { ALL, attempt, NOW, openShop } from '../../faults/shop.ts'
import { goesStraight } from '../nodes/goes-straight.ts'
import { moveOf } from '../place-of.ts'

const LATER = '2099-01-01T00:00:00.000Z'
const SHOPS = Array.from({ length: 24 }, (_, n) => `shop-${n}`)
const NODES = 2

/** Starts and outcomes of many merchants that go straight to a node together are a statement of each one's shard, in one message. */
overCitus(() => {
  let database: Awaited<ReturnType<typeof createOnCitus>>
  let storage: DatabaseStorage
  /** How many connections to nodes were handed out: a message goes over each. */
  let messages = 0
  const count = (message: unknown) => {
    if ((message as ConnectionMessage).pool.name.startsWith('tillkit node ')) messages += 1
  }

  const start = (merchantId: string, fields: Partial<NewPayment> = {}) =>
    storage.payments.start(attempt({ merchantId, ...fields }), NOW)
  const complete = (payment: Payment) => storage.payments.resolve(payment, { status: 'completed' }, NOW)
  const startAll = () => Promise.all(SHOPS.map(id => start(id)))
  const lastIds = () => Promise.all(SHOPS.map(async id => (await storage.payments.idRange(id, {}))?.last))

  /** Starts until it is known where each one's rows are, and in which tables. */
  const acquaint = () =>
    vi.waitFor(
      async () => {
        messages = 0
        await startAll()
        expect(messages).toBeGreaterThan(0)
        expect(messages).toBeLessThanOrEqual(3 * NODES)
      },
      { timeout: 30_000, interval: 50 },
    )

  beforeEach(async () => {
    database = await createOnCitus()
    const { connectionString, schema } = database
    for (const id of SHOPS) await openShop(database.storage, id)
    storage = postgresStorage({ connectionString, ...PATIENT }, { schema })
    await goesStraight(storage, 'shop-0')
    // Without the functions that do the same.
    for (const name of ['start', 'startOfEach', 'resolve', 'resolveOfEach'] as const) {
      await askCitus(`drop function "${schema}"."tillkit_${FUNCTIONS[name]}"`)
    }
    await acquaint()
  })

  connectionChannel.asyncEnd.subscribe(count)
  afterEach(async () => {
    await storage.close()
    await database.drop()
  })

  test('none of the functions is called, in a few messages, and each gets its own answer', async () => {
    const before = await lastIds()
    messages = 0
    const starts = await Promise.all(SHOPS.map(id => start(id, { userReference: id, attemptKey: 'key' })))
    expect(messages).toBeLessThanOrEqual(3 * NODES)
    const own = SHOPS.map(id => ({ merchantId: id, userReference: id, status: 'pending' }))
    expect(starts).toMatchObject(own.map(payment => ({ created: true, payment })))
    expect(await lastIds()).toEqual(before.map((last = 0) => last + 1))

    const payments = starts.map(({ payment }) => payment)
    const traceOf = (n: number) => `00-${`${n + 1}`.padStart(32, '0')}-${'b'.repeat(16)}-01`
    const timeOf = (n: number) => new Date(Date.parse(NOW) + n).toISOString()
    messages = 0
    const ends = await Promise.all(
      payments.map((payment, n) =>
        storage.payments.resolve(
          payment,
          n % 3 ? { status: 'completed' } : { status: 'error', failure: 'REJECTED' },
          timeOf(n),
          traceOf(n),
        ),
      ),
    )
    expect(messages).toBeLessThanOrEqual(3 * NODES)
    const ended = payments.map((payment, n) => ({
      ...payment,
      status: n % 3 ? 'completed' : 'error',
      failure: n % 3 ? null : 'REJECTED',
    }))
    expect(ends).toEqual(ended.map(payment => ({ changed: true, payment, claimed: undefined })))
    expect(await Promise.all(payments.map(one => database.storage.payments.get(one)))).toEqual(ended)
    const claimed = await database.storage.deliveries.claim({ now: LATER, leaseUntil: LATER, limit: 100 })
    expect(claimed.map(one => [one.merchantId, one.paymentId, one.traceparent])).toEqual(
      payments.map(({ merchantId, id }, n) => [merchantId, id, traceOf(n)]),
    )
  })

  test('who has to be looked at alone is, and the others are answered meanwhile', async () => {
    await storage.migrate()
    const first = (await start('shop-3', { attemptKey: 'key' })).payment
    const pending = (await start('shop-5')).payment
    await storage.merchants.suspend('shop-4', NOW)
    await storage.scanCodes.add({ code: 'code-2', merchantId: 'shop-2', reference: null, createdAt: NOW })
    await storage.scanCodes.suspend('code-2', NOW)
    const before = await lastIds()
    const other = await openSession(database.address)
    await other.run('begin')
    await other.run(`select from ${other.table('ledgers')} where merchant_id = 'shop-1' for update`)
    await other.run(
      `select from ${other.table('payments')} where merchant_id = 'shop-5' and id = ${pending.id} for update`,
    )
    // Whoever comes first to a node goes alone there: here that is none of these.
    messages = 0
    const starting: ReturnType<typeof start>[] = []
    for (const [n, id] of [...SHOPS.entries()].toSorted(([n], [m]) => ((n + 12) % 24) - ((m + 12) % 24))) {
      starting[n] = start(id, { attemptKey: 'key', scanCode: `code-${n}` })
    }
    const ending = complete(pending)
    void Promise.allSettled([...starting, ending])
    for (const [n, id] of SHOPS.entries()) {
      if (n > 0 && n < 5) continue
      const started = { created: true, payment: { merchantId: id, id: (before[n] ?? 0) + 1 } }
      expect(await starting[n]).toMatchObject(started)
    }
    // They go once more, without those who are locked, and not until nobody is.
    expect(messages).toBeLessThan(16)
    expect(await starting[3]).toEqual({ created: false, payment: first })
    await expect(starting[2]).rejects.toThrow(/suspended/)
    await expect(starting[4]).rejects.toThrow(/suspended/)
    const others = await Promise.all(SHOPS.slice(6).map(id => start(id)))
    expect(
      (await Promise.all(others.map(({ payment }) => complete(payment)))).every(one => one?.changed),
    ).toBe(true)
    await other.close()
    expect(await starting[1]).toMatchObject({ created: true, payment: { id: (before[1] ?? 0) + 1 } })
    expect((await ending)?.changed).toBe(true)
  })

  test('what cannot be written is told to whoever asked for it, and nobody else', async () => {
    await storage.migrate()
    const before = await lastIds()
    const starting = SHOPS.map((id, n) => start(id, n === 20 ? { extra: { name: 'NUL \0' } } : {}))
    const written = await Promise.allSettled(starting)
    expect(written.flatMap(({ status }, n) => (status === 'rejected' ? [n] : []))).toEqual([20])
    expect(await lastIds()).toEqual(before.map((last = 0, n) => (n === 20 ? last : last + 1)))
  })

  test('of shards that move meanwhile nothing is lost, and nothing done twice', async () => {
    await storage.migrate()
    const started: Payment[] = []
    let isMoving = true
    const load = (async () => {
      while (isMoving) {
        const round = (await startAll()).map(({ payment }) => payment)
        started.push(...round)
        for (const one of await Promise.all(round.map(complete))) expect(one?.changed).toBe(true)
      }
    })()
    for (const id of ['shop-0', 'shop-1', 'shop-0']) {
      await askCitus((await moveOf(database.schema, id)).statement)
    }
    isMoving = false
    await load
    await Promise.all((await startAll()).map(({ payment }) => complete(payment)))
    for (const id of SHOPS) {
      const { items } = await database.storage.payments.list(id, {}, ALL)
      const own = started.filter(({ merchantId }) => merchantId === id).map(one => one.id)
      expect(items.map(one => one.id)).toEqual(items.map((_, n) => items.length - n))
      const completed = items.filter(({ status }) => status === 'completed').map(one => one.id)
      expect(completed.slice(1).reverse()).toEqual(own)
      expect((await database.storage.deliveries.list(id, undefined, ALL)).total).toBe(completed.length)
    }
  })
})
