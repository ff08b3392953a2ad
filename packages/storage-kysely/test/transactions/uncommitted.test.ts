import { createTill, type Till } from '@tillkit/till'
import { Kysely, MysqlDialect } from 'kysely'
import mysql from 'mysql2'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type DatabaseStorage, kyselyStorage } from '../../src/index.ts'
import { mysqlStorage } from '../../src/mysql/index.ts'
import { countingStorage } from '../counts/counting-storage.ts'
import { keepingStorage } from '../counts/keeping-storage.ts'
import { type HostTables, hostDatabaseAt, PATIENT, storageAt } from '../engines/address.ts'
import type { TestDatabase } from '../engines/engine.ts'
import { overMysql } from '../engines/index.ts'
import { blocked, openSession } from '../faults/session.ts'

class RolledBack extends Error {}

/** Sessions of a host's that see what others have not committed: nothing that is undone then is ever kept. */
overMysql(({ create }) => {
  let database: TestDatabase
  let storage: DatabaseStorage
  let till: Till
  let db: Kysely<HostTables>
  let pool: mysql.Pool
  let over: Kysely<HostTables>
  let merchants = 0
  let shop: string

  beforeAll(async () => {
    database = await create()
    const { address } = database
    if (address.dialect !== 'mysql') throw new Error('not MySQL')
    storage = storageAt(address)
    await storage.migrate()
    till = createTill({ storage, logger: false })
    db = hostDatabaseAt(address)
  })

  beforeEach(async () => {
    const { address } = database
    if (address.dialect !== 'mysql') throw new Error('not MySQL')
    pool = mysql.createPool(address.uri)
    pool.on('connection', one => one.query('set session transaction isolation level read uncommitted'))
    over = new Kysely({ dialect: new MysqlDialect({ pool }) })
    merchants += 1
    shop = `shop-${merchants}`
    await till.merchants.create({ id: shop, name: 'Shop' })
    await till.scanCodes.create(shop, { code: shop })
  })

  afterEach(() => over.destroy())

  afterAll(async () => {
    await till.close()
    await storage.close()
    await db.destroy()
    await database.drop()
  })

  const start = () => till.payments.start({ scanCode: shop, totalAmount: 100 })
  const completed = async () => till.payments.complete(await start())

  /** Fails the payment in a transaction that is rolled back; `meanwhile` may be told to have that done before. */
  async function whileFailed(
    payment: { merchantId: string; id: number },
    meanwhile: (undo: () => void) => Promise<unknown>,
  ): Promise<void> {
    let looked: Promise<unknown> = Promise.resolve()
    const work = db.transaction().execute(async trx => {
      const inside = createTill({ storage: kyselyStorage(trx, 'mysql', PATIENT), logger: false })
      await inside.payments.fail(payment, { failure: 'declined' })
      await new Promise<void>(undo => {
        looked = meanwhile(undo).finally(undo)
      })
      throw new RolledBack()
    })
    await expect(work).rejects.toThrow(RolledBack)
    await looked
  }

  const isNotReady = (of: Till, reference: string) =>
    expect(of.cashUps.payments(shop, reference)).rejects.toMatchObject({ code: 'not_ready' })

  test.each([
    ['a pool', () => mysqlStorage({ pool, ...PATIENT })],
    ['a Kysely', () => kyselyStorage(over, 'mysql', PATIENT)],
  ])('the total of a period, over %s', async (_, open) => {
    const payment = await start()
    await completed()
    const { reference } = await till.cashUps.create(shop)
    const reader = createTill({ storage: open(), logger: false })
    await whileFailed(payment, () => isNotReady(reader, reference))
    await isNotReady(till, reference)
    await till.payments.complete(payment)
    for (const of of [reader, till, reader]) {
      expect((await of.cashUps.payments(shop, reference)).total).toBe(2)
    }
    await reader.close()
  })

  test('the total of a period, in a transaction of the host’s', async () => {
    const payment = await start()
    await completed()
    const { reference } = await till.cashUps.create(shop)
    await whileFailed(payment, async undo => {
      await over.transaction().execute(async trx => {
        const inside = createTill({ storage: kyselyStorage(trx, 'mysql', PATIENT), logger: false })
        const looked = isNotReady(inside, reference)
        await Promise.race([blocked(database.address), looked])
        undo()
        await looked
      })
    })
    await isNotReady(till, reference)
  })

  test('what blocks of payments come to', async () => {
    const payments = [await start(), await completed(), await completed(), await completed()]
    const [payment] = payments
    if (!payment) throw new Error('no payment')
    for (let n = 0; n < 16; n++) await completed()
    const counting = countingStorage(over, 'mysql', 2)
    const keeping = keepingStorage(over, 'mysql', 2)
    await whileFailed(payment, async () => {
      await counting.count(shop)
      await keeping.keepAll(shop)
    })
    await till.payments.complete(payment)
    const list = counting.storage.payments.list(shop, { status: ['error'] }, { skip: 0, limit: 10 })
    expect(await list).toEqual({ items: [], total: 0 })
    const report = await keeping.storage.reports.period(shop, null)
    expect(report?.byStatus).toMatchObject({ completed: { count: 20 }, error: { count: 0 } })
  })

  test('whether an outcome has a webhook, in a transaction of the host’s', async () => {
    const payment = await start()
    await till.merchants.update(shop, { webhookUrl: 'https://shop.example/hook' })
    const { promise: undone, resolve: undo } = Promise.withResolvers<void>()
    await over.transaction().execute(async trx => {
      let closing: Promise<unknown> = Promise.resolve()
      await new Promise<void>(closed => {
        closing = db.transaction().execute(async other => {
          const beside = createTill({ storage: kyselyStorage(other, 'mysql', PATIENT), logger: false })
          await beside.merchants.update(shop, { webhookUrl: null })
          closed()
          await undone
          throw new RolledBack()
        })
      })
      const inside = createTill({ storage: kyselyStorage(trx, 'mysql', PATIENT), logger: false })
      const completing = inside.payments.complete(payment)
      await Promise.race([blocked(database.address), completing])
      undo()
      await expect(closing).rejects.toThrow(RolledBack)
      await completing
    })
    expect((await till.webhooks.list(shop)).total).toBe(1)
  })

  test('what is settled under a reference, in a transaction of the host’s', async () => {
    const [p, q] = [await completed(), await completed()]
    const statementReference = `BANK ${shop}`
    // As the version before there were totals settles.
    const other = await openSession(database.address)
    await other.run('begin')
    await other.run(
      `update tillkit_payments set statement_reference = '${statementReference}' where merchant_id = '${shop}' and id = ${p.id}`,
    )
    await over.transaction().execute(async trx => {
      const inside = createTill({ storage: kyselyStorage(trx, 'mysql', PATIENT), logger: false })
      const settled = inside.payments.settle(shop, { statementReference, paymentIds: [q.id] })
      await Promise.race([blocked(database.address), settled])
      await other.run('rollback')
      await settled
    })
    await other.close()
    expect(await till.settlements.get(statementReference)).toMatchObject({ count: 1, amount: 100 })
  })
})
