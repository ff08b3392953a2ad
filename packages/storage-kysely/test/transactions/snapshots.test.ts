import type { Storage } from '@tillkit/storage'
import { createTill, type Till } from '@tillkit/till'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type DatabaseStorage, kyselyStorage } from '../../src/index.ts'
import { type HostTables, hostDatabaseAt, PATIENT, storageAt } from '../engines/address.ts'
import type { TestDatabase } from '../engines/engine.ts'
import { overEveryServer } from '../engines/index.ts'
import { attempt } from '../faults/shop.ts'

/** A host's transaction at REPEATABLE READ that others write beside, after its first read. */
overEveryServer(({ name, create }) => {
  const isPostgres = name === 'PostgreSQL'
  let database: TestDatabase
  let storage: DatabaseStorage
  let till: Till
  let db: Kysely<HostTables>
  let hasStrictSnapshots = false
  let merchants = 0
  let shop: string

  beforeAll(async () => {
    database = await create()
    storage = storageAt(database.address)
    await storage.migrate()
    till = createTill({ storage, logger: false })
    db = hostDatabaseAt(database.address)
    if (isPostgres) return
    const { rows } = await sql`show variables like 'innodb_snapshot_isolation'`.execute(db)
    hasStrictSnapshots = rows.length > 0
  })

  beforeEach(async () => {
    merchants += 1
    shop = `shop-${merchants}`
    await till.merchants.create({ id: shop, name: 'Shop', webhookUrl: 'https://shop.example/hook' })
    await till.scanCodes.create(shop, { code: shop })
  })

  afterAll(async () => {
    await till.close()
    await storage.close()
    await db.destroy()
    await database.drop()
  })

  const start = (fields: object = {}) => till.payments.start({ scanCode: shop, totalAmount: 100, ...fields })
  const completed = async () => till.payments.complete(await start())
  const referenceOf = async (id: number) => (await till.payments.get(shop, id))?.statementReference

  /** Runs `inside` in a transaction of the host's that read before `meanwhile` was committed. */
  function inSnapshot<Found, Result>(
    meanwhile: () => Promise<Found>,
    inside: (till: Till, found: Found, storage: Storage) => Promise<Result>,
    strictly: 'on' | 'off' = 'off',
  ): Promise<Result> {
    return db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async trx => {
        if (hasStrictSnapshots) await sql.raw(`set innodb_snapshot_isolation = ${strictly}`).execute(trx)
        await sql`select count(*) from tillkit_merchants`.execute(trx)
        const found = await meanwhile()
        const within = kyselyStorage(trx, database.address.dialect, PATIENT)
        return inside(createTill({ storage: within, logger: false }), found, within)
      })
  }

  const soon = '2099-01-01T00:00:00.000Z'
  const leaseUntil = '2099-01-01T00:01:00.000Z'
  const claim = (of: Storage, now = soon) =>
    of.deliveries.claim({ now, leaseUntil, limit: 100, onlyMerchant: shop })
  const failed = (paymentId: number, fence: number) => ({
    ...{ merchantId: shop, paymentId, fence, state: 'pending' as const, nextAttemptAt: soon },
    attempt: { at: '2098-01-01T00:00:00.000Z', status: 500, milliseconds: 1, error: 'status', answer: null },
  })
  /** A payment whose delivery has failed once. */
  const failing = async () => {
    const { id } = await completed()
    const [first] = await claim(storage)
    await storage.deliveries.record(failed(id, first?.fence ?? 0))
    return id
  }
  const pause = async () => expect(await storage.endpoints.pause(shop, leaseUntil, soon)).toBe(true)

  describe.each(['on', 'off'] as const)('beside claims and pauses (strictly: %s)', strictly => {
    const isOther = () => strictly === 'on' && !hasStrictSnapshots
    /** Where another was faster the transaction is refused; where it is not, a claim finds what it made due. */
    const refusedOrDue = async (done: Promise<unknown>) => {
      const refused = await done.then(
        () => undefined,
        error => error.cause,
      )
      if (isPostgres) expect(refused).toMatchObject({ code: '40001' })
      else if (refused !== undefined) expect([strictly, refused.errno]).toEqual(['on', 1020])
      if (refused === undefined) expect(await claim(storage)).toHaveLength(1)
    }

    test('a change of the URL wakes what was put to rest meanwhile', async () => {
      if (isOther()) return
      await failing()
      await pause()
      const changed = inSnapshot(
        async () => expect(await claim(storage)).toEqual([]),
        inside => inside.merchants.update(shop, { webhookUrl: 'https://shop.example/new' }),
        strictly,
      )
      await refusedOrDue(changed)
    })

    test('a delivery that is sent again is not put to rest by a pause meanwhile', async () => {
      if (isOther()) return
      const paymentId = await failing()
      const sent = inSnapshot(
        pause,
        inside => inside.webhooks.redeliver({ merchantId: shop, paymentId }),
        strictly,
      )
      await refusedOrDue(sent)
    })
  })

  if (isPostgres) {
    test.each<[what: string, inside: (till: Till, id: number) => Promise<unknown>]>([
      ['a cash up', inside => inside.cashUps.create(shop)],
      ['a start', inside => inside.payments.start({ scanCode: shop, totalAmount: 1 })],
      ['an outcome', (inside, id) => inside.payments.complete({ merchantId: shop, id })],
      [
        'a settlement',
        (inside, id) => inside.payments.settle(shop, { statementReference: 'MINE', paymentIds: [id] }),
      ],
    ])('%s after another’s is refused', async (_, inside) => {
      const payment = await start()
      const meanwhile = async () => {
        await till.payments.complete(payment)
        await till.payments.settle(shop, { statementReference: 'OTHER', paymentIds: [payment.id] })
        await start()
      }
      const refused = await inSnapshot(meanwhile, of => inside(of, payment.id)).catch(error => error)
      expect(refused).toMatchObject({ cause: { code: '40001' } })
    })
    return
  }

  test('a period with a payment that was started meanwhile waits for it', async () => {
    for (let n = 0; n < 3; n++) await completed()
    const [reference, other] = await inSnapshot(start, async (inside, other) => {
      const { reference } = await inside.cashUps.create(shop)
      await expect(inside.cashUps.payments(shop, reference)).rejects.toMatchObject({ code: 'not_ready' })
      return [reference, other] as const
    })
    await expect(till.cashUps.payments(shop, reference)).rejects.toMatchObject({ code: 'not_ready' })
    await till.payments.fail(other, { failure: 'declined' })
    expect((await till.cashUps.payments(shop, reference)).total).toBe(3)
  })

  test.each([false, true])('a period has what came and ended meanwhile (some failed: %s)', async some => {
    const ids = [(await completed()).id]
    const reference = await inSnapshot(
      async () => {
        if (some) await till.payments.fail(await start(), { failure: 'declined' })
        ids.unshift((await completed()).id)
      },
      async inside => {
        const { reference } = await inside.cashUps.create(shop)
        const page = await inside.cashUps.payments(shop, reference)
        expect(page.items.map(({ id, status }) => [id, status])).toEqual(ids.map(id => [id, 'completed']))
        expect(page.total).toBe(2)
        return reference
      },
    )
    expect(await till.cashUps.payments(shop, reference)).toMatchObject({ total: 2 })
  })

  test('a report of a period has what came and ended meanwhile', async () => {
    await completed()
    const waits = await start()
    const [reference, report] = await inSnapshot(
      async () => {
        await till.payments.complete(waits)
        await till.payments.fail(await start(), { failure: 'declined' })
        await completed()
      },
      async inside => {
        const open = await inside.reports.period(shop)
        const { reference } = await inside.cashUps.create(shop)
        expect(open).toMatchObject({
          firstPaymentId: 1,
          lastPaymentId: 2,
          byStatus: { pending: { count: 1 } },
        })
        expect((await inside.cashUps.payments(shop, reference)).items.map(({ id }) => id)).toEqual([4, 2, 1])
        return [reference, await inside.reports.period(shop, { reference })] as const
      },
    )
    expect(report).toMatchObject({ final: true, byStatus: { completed: { count: 3 }, error: { count: 1 } } })
    expect(await till.reports.period(shop, { reference })).toEqual(report)
  })

  test('after its first write a report and a list have what came meanwhile', async () => {
    await completed()
    await inSnapshot(completed, async inside => {
      await inside.payments.start({ scanCode: shop, totalAmount: 100 })
      const { items, total } = await inside.payments.list(shop)
      expect([total, items.map(({ id }) => id)]).toEqual([3, [3, 2, 1]])
      const { byStatus } = await inside.reports.period(shop)
      expect(byStatus).toMatchObject({ completed: { count: 2 }, pending: { count: 1 } })
    })
  })

  test.each(['on', 'off'] as const)(
    'a payment that was completed meanwhile keeps no period waiting (strictly: %s)',
    async strictly => {
      if (strictly === 'on' && !hasStrictSnapshots) return
      const waits = await start()
      const found = inSnapshot(
        () => till.payments.complete(waits),
        async inside => {
          const { reference } = await inside.cashUps.create(shop)
          return (await inside.cashUps.payments(shop, reference)).total
        },
        strictly,
      )
      if (strictly === 'off') expect(await found).toBe(1)
      else await expect(found).rejects.toMatchObject({ cause: { errno: 1020 } })
    },
  )

  test('what another settled meanwhile is a conflict, and nothing is settled', async () => {
    const [p, q] = [await completed(), await completed()]
    await inSnapshot(
      () => till.payments.settle(shop, { statementReference: 'OTHER', paymentIds: [p.id] }),
      async inside => {
        const mine = { statementReference: 'MINE', paymentIds: [p.id, q.id] }
        await expect(inside.payments.settle(shop, mine)).rejects.toMatchObject({ code: 'conflict' })
      },
    )
    expect([await referenceOf(p.id), await referenceOf(q.id)]).toEqual(['OTHER', null])
  })

  test('of what came and was completed meanwhile a settlement is one', async () => {
    const id = await inSnapshot(completed, async (inside, { id }) => {
      await inside.payments.settle(shop, { statementReference: 'MINE', paymentIds: [id] })
      return id
    })
    expect(await referenceOf(id)).toBe('MINE')
  })

  test('an import says what another settled meanwhile', async () => {
    const { id } = await completed()
    const rows = [{ merchantId: shop, paymentId: id, amount: 100 }]
    const differences: string[] = []
    const { already } = await inSnapshot(
      () => till.payments.settle(shop, { statementReference: 'OTHER', paymentIds: [id] }),
      inside =>
        inside.settlements.import({
          ...{ statementReference: `MINE ${shop}`, rows },
          onDifference: ({ why }) => void differences.push(why),
        }),
    )
    expect([already, differences]).toEqual([0, ['settled_elsewhere']])
  })

  test('an outcome that was recorded meanwhile may be said again, and no other', async () => {
    const [one, two] = [await start(), await start()]
    await inSnapshot(
      async () => [await till.payments.complete(one), await till.payments.fail(two, { failure: 'declined' })],
      async (inside, [first, second]) => {
        expect(await inside.payments.complete(one)).toEqual(first)
        expect(await inside.payments.fail(two, { failure: 'declined' })).toEqual(second)
        const refused = (was: string) => ({ code: 'conflict', message: expect.stringContaining(was) })
        await expect(inside.payments.fail(one)).rejects.toMatchObject(refused('completed'))
        await expect(inside.payments.complete(two)).rejects.toMatchObject(refused('error'))
      },
    )
  })

  test('ids, periods, keys and strict references go on from what others wrote', async () => {
    const strict = { strict: true, requiredAmount: 100, merchantReference: 'order-1' }
    await inSnapshot(
      async () => ({
        first: await start({ attemptKey: 'a' }),
        live: await start(strict),
        closed: await till.cashUps.create(shop, { idempotencyKey: 'c' }),
        id: (await start()).id,
      }),
      async (inside, { first, closed, id }) => {
        const scanned = { scanCode: shop, totalAmount: 100 }
        const again = await inside.payments.startOnce({ ...scanned, attemptKey: 'a' })
        expect(again).toMatchObject({ created: false, payment: { id: first.id } })
        expect(await inside.payments.start({ ...scanned, ...strict })).toMatchObject({
          ...{ id: id + 1, status: 'error' },
        })
        expect(await inside.payments.start(scanned)).toMatchObject({ id: id + 2 })
        expect(await inside.cashUps.create(shop, { idempotencyKey: 'c' })).toEqual(closed)
        expect((await inside.cashUps.create(shop)).reference).not.toBe(closed.reference)
      },
    )
    expect((await till.cashUps.list(shop)).total).toBe(2)
  })

  test('nothing starts on what was suspended meanwhile', async () => {
    const refused = (inside: Till) =>
      expect(inside.payments.start({ scanCode: shop, totalAmount: 1 })).rejects.toMatchObject({
        code: 'conflict',
      })
    await inSnapshot(() => till.scanCodes.suspend(shop), refused)
    await till.scanCodes.resume(shop)
    await inSnapshot(() => till.merchants.suspend(shop), refused)
  })

  test('what is suspended, resumed or changed is answered as it is then', async () => {
    const is = async <Changed>(change: (of: Till) => Promise<Changed>) =>
      inSnapshot(
        () => change(till),
        async (inside, changed) => expect(await change(inside)).toEqual(changed),
      )
    await is(of => of.merchants.suspend(shop))
    await is(of => of.scanCodes.suspend(shop))
    await is(of => of.merchants.resume(shop))
    await is(of => of.scanCodes.resume(shop))
    await is(of => of.merchants.update(shop, { name: 'Another' }))
    await is(of => of.merchants.update(shop, { webhookUrl: 'https://shop.example/new' }))
  })

  test('an API key that was made meanwhile is revoked', async () => {
    const id = await inSnapshot(
      () => till.apiKeys.issue(shop),
      async (inside, { id }) => {
        await inside.apiKeys.revoke(shop, id)
        return id
      },
    )
    expect((await till.apiKeys.list(shop)).map(key => key.id)).not.toContain(id)
  })

  test('MariaDB that is told to refuses what another was faster with, as PostgreSQL does', async () => {
    // MySQL and older MariaDB cannot be told.
    if (!hasStrictSnapshots) return
    const { id } = await completed()
    const settle = (of: Till) => of.payments.settle(shop, { statementReference: 'ONE', paymentIds: [id] })
    const refused = await inSnapshot(() => settle(till), settle, 'on').catch(error => error)
    expect(refused).toMatchObject({ cause: { errno: 1020 } })
  })

  test('a delivery is claimed with the outcome that was recorded meanwhile, of no endpoint that was paused', async () => {
    await completed()
    const other = await start()
    await inSnapshot(
      () => till.payments.complete(other),
      async (_, complete, within) => {
        const claimed = await claim(within)
        expect(claimed.map(({ payment }) => payment)).toContainEqual(complete)
        await within.deliveries.release(claimed, soon)
      },
    )
    await inSnapshot(
      async () => {
        const [first] = await claim(storage)
        if (!first) throw new Error('nothing was due')
        await storage.deliveries.record(failed(first.paymentId, first.fence))
        expect(await storage.endpoints.pause(shop, leaseUntil, soon)).toBe(true)
      },
      async (_, __, within) => expect(await claim(within, leaseUntil)).toEqual([]),
    )
  })

  test('an attempt is numbered after those that were recorded meanwhile, and a success wakes the endpoint', async () => {
    const { id } = await completed()
    const [first] = await claim(storage)
    await inSnapshot(
      async () => {
        await storage.deliveries.record(failed(id, first?.fence ?? 0))
        return (await claim(storage))[0]?.fence ?? 0
      },
      async (_, fence, within) => {
        const { attempt, ...result } = failed(id, fence)
        const success = { ...attempt, status: 200, error: null }
        const delivered = { ...result, state: 'delivered' as const, nextAttemptAt: null, attempt: success }
        expect(await within.deliveries.record(delivered)).toBe(true)
      },
    )
    const kept = await storage.deliveries.attempts(shop, [id])
    expect(kept.map(({ status }) => status)).toEqual([500, 200])
    expect((await storage.endpoints.get(shop))?.failingSince).toBe(null)
  })

  test('a delivery that was delivered meanwhile is sent again', async () => {
    const { id } = await completed()
    const [first] = await claim(storage)
    const deliver = async () => {
      const { attempt, ...result } = failed(id, first?.fence ?? 0)
      await storage.deliveries.record({ ...result, state: 'delivered', nextAttemptAt: null, attempt })
    }
    const sent = await inSnapshot(deliver, inside =>
      inside.webhooks.redeliver({ merchantId: shop, paymentId: id }),
    )
    expect(sent).toMatchObject({ state: 'pending', attempts: 0 })
    expect(await till.webhooks.get({ merchantId: shop, paymentId: id })).toMatchObject({ state: 'pending' })
  })

  test('dates that a wrong clock gave meanwhile are put right', async () => {
    await completed()
    await inSnapshot(
      () => storage.payments.start(attempt({ merchantId: shop, scanCode: shop }), soon),
      async (_, __, within) =>
        expect(await within.payments.repairDates(shop, null, 100)).toMatchObject({ payments: 1, done: true }),
    )
    const { items } = await till.payments.list(shop)
    expect(items.filter(({ date }) => date >= soon.slice(0, 10))).toEqual([])
  })
})
