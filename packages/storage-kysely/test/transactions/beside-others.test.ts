import { createTill, type Till } from '@tillkit/till'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DatabaseStorage, kyselyStorage } from '../../src/index.ts'
import { type HostTables, hostDatabaseAt, PATIENT, storageAt } from '../engines/address.ts'
import type { TestDatabase } from '../engines/engine.ts'
import { overEveryServer } from '../engines/index.ts'

/** So many merchants, with names on both sides of the one whose transaction is open. */
const SHOPS = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
const ONE = 'd'
const OTHERS = SHOPS.filter(shop => shop !== ONE)
const HOOK = 'https://shop.example/hook'
const [soon, leaseUntil] = ['2099-01-01T00:00:00.000Z', '2099-01-01T00:01:00.000Z']

/** A host's transaction at REPEATABLE READ is about one merchant, and stays open. */
overEveryServer(({ name, create }) => {
  let database: TestDatabase
  let storage: DatabaseStorage
  let till: Till
  let db: Kysely<HostTables>

  beforeAll(async () => {
    database = await create()
    storage = storageAt(database.address)
    await storage.migrate()
    till = createTill({ storage, logger: false })
    db = hostDatabaseAt(database.address)
    for (const id of SHOPS) {
      await till.merchants.create({ id, name: id, webhookUrl: HOOK })
      await till.scanCodes.create(id, { code: id })
      await completed(id)
    }
    // As whoever has sold anything: what is locked of one merchant ends at the next entry.
    const at = { ...{ status: 200, milliseconds: 1, error: null, answer: null }, at: soon }
    for (const { merchantId, paymentId, fence } of await claim()) {
      const delivered = { ...{ merchantId, paymentId, fence }, nextAttemptAt: null, attempt: at }
      await storage.deliveries.record({ ...delivered, state: 'delivered' })
    }
  })

  afterAll(async () => {
    await till.close()
    await storage.close()
    await db.destroy()
    await database.drop()
  })

  const claim = (exceptMerchants: string[] = []) =>
    storage.deliveries.claim({ now: soon, leaseUntil, limit: 100, exceptMerchants })
  const completed = async (scanCode: string) =>
    till.payments.complete(await till.payments.start({ scanCode, totalAmount: 100 }))

  const beside = (work: (within: Till) => Promise<unknown>, meanwhile: () => Promise<unknown>) =>
    db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async trx => {
        await sql`select count(*) from tillkit_merchants`.execute(trx)
        const inside = kyselyStorage(trx, database.address.dialect, PATIENT)
        await work(createTill({ storage: inside, logger: false }))
        await meanwhile()
      })

  test('a URL that is changed keeps no other merchant from outcomes', async () => {
    await completed(ONE)
    await beside(
      within => within.merchants.update(ONE, { webhookUrl: `${HOOK}/two` }),
      async () => {
        for (const shop of OTHERS) expect((await completed(shop)).status).toBe('completed')
      },
    )
  })

  test('a webhook that is sent anew keeps no other merchant’s results from being recorded', async () => {
    const { id } = await completed(ONE)
    for (const shop of OTHERS) await completed(shop)
    await beside(
      within => within.webhooks.redeliver({ merchantId: ONE, paymentId: id }),
      async () => {
        const claimed = await claim([ONE])
        expect(new Set(claimed.map(({ merchantId }) => merchantId))).toEqual(new Set(OTHERS))
        const recorded = claimed.map(({ merchantId, paymentId, fence }) =>
          storage.deliveries.record({
            ...{ merchantId, paymentId, fence, state: 'pending', nextAttemptAt: soon },
            attempt: { at: soon, status: 500, milliseconds: 1, error: 'status', answer: null },
          }),
        )
        expect(await Promise.all(recorded)).toEqual(recorded.map(() => true))
      },
    )
  })

  const readCommitted = (work: (within: Till) => Promise<unknown>, meanwhile: () => Promise<unknown>) =>
    db
      .transaction()
      .setIsolationLevel('read committed')
      .execute(async trx => {
        await work(createTill({ storage: kyselyStorage(trx, database.address.dialect), logger: false }))
        await meanwhile()
      })

  test('a settlement and who finds its payment done keep each other from nothing', async ({ skip }) => {
    if (name !== 'PostgreSQL') skip('a change that finds a row waits for who has it')
    const payment = await completed(ONE)
    const statement = { statementReference: 'BANK-1', paymentIds: [payment.id] }
    await readCommitted(
      within => within.payments.complete(payment),
      () => till.payments.settle(ONE, statement),
    )
    await readCommitted(
      within => within.payments.settle(ONE, statement),
      async () => expect((await till.payments.complete(payment)).status).toBe('completed'),
    )
  })

  test('webhooks of one merchant that are sent anew in transactions of their own are all sent', async () => {
    const ids = [await completed('f'), await completed('f'), await completed('f'), await completed('f')].map(
      ({ id }) => id,
    )
    // PostgreSQL refuses all but the first at REPEATABLE READ, and says so.
    const levels = ['read committed', 'repeatable read'] as const
    for (const level of name === 'PostgreSQL' ? levels.slice(0, 1) : levels) {
      const sent = ids.map(paymentId =>
        db
          .transaction()
          .setIsolationLevel(level)
          .execute(trx => {
            const inside = kyselyStorage(trx, database.address.dialect, PATIENT)
            return createTill({ storage: inside, logger: false }).webhooks.redeliver({
              merchantId: 'f',
              paymentId,
            })
          }),
      )
      await Promise.all(sent)
    }
  })

  test('a period that is read and held keeps no other merchant’s starts waiting in vain', async () => {
    // Not the first: what is locked begins where the period before it ends.
    await completed('e')
    await till.cashUps.create('e')
    await completed('e')
    const { reference } = await till.cashUps.create('e')
    const start = (scanCode: string) => till.payments.start({ scanCode, totalAmount: 100 })
    const own: Promise<unknown>[] = []
    await beside(
      within => within.cashUps.payments('e', reference),
      async () => {
        const others: Promise<unknown>[] = []
        for (let n = 0; n < 90; n++) {
          const shop = SHOPS[n % SHOPS.length] ?? ONE
          ;(shop === 'e' ? own : others).push(start(shop))
        }
        await Promise.all(others)
      },
    )
    await Promise.all(own)
  })

  test('an id that is taken though its merchant’s ledger does not know it has no other merchant’s starts fail', async () => {
    await completed(ONE)
    const ledgerAt = (id: number) =>
      sql`update tillkit_ledgers set last_payment_id = ${id} where merchant_id = ${ONE}`.execute(db)
    await ledgerAt(0)
    const [own, others]: Promise<unknown>[][] = [[], []]
    for (let n = 0; n < 60; n++) {
      const shop = SHOPS[n % SHOPS.length] ?? ONE
      ;(shop === ONE ? own : others)?.push(till.payments.start({ scanCode: shop, totalAmount: 100 }))
    }
    const told = Promise.allSettled(own ?? [])
    await Promise.all(others ?? [])
    await ledgerAt(1000)
    await told
  })
})
