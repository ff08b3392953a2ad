import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { DatabaseStorage } from '../../src/index.ts'
import { keepingStorage } from '../counts/keeping-storage.ts'
import { hostDatabaseAt, storageAt } from '../engines/address.ts'
import type { TestDatabase } from '../engines/engine.ts'
import { overPostgres } from '../engines/index.ts'
import { attempt, NOW } from '../faults/shop.ts'
import { interceptedAt } from '../migrations/intercepted.ts'
import { dateOf, fillPayments } from '../payments/payments-in-bulk.ts'

/** More than one statement reads; the first is pending, and so are the last twenty. */
const PAYMENTS = 5000
const PENDING = 21
const FAILED = 199
const COMPLETED = PAYMENTS - PENDING - FAILED
const BOUNDS = [dateOf(0), dateOf(86_400)]

/** What happens between the statements of a report changes nothing of it. */
overPostgres(({ create }) => {
  let database: TestDatabase
  let owner: DatabaseStorage
  let shops = 0
  let merchantId: string

  beforeAll(async () => {
    database = await create()
    owner = storageAt(database.address)
    await owner.migrate()
  })

  afterAll(async () => {
    await owner.close()
    await database.drop()
  })

  beforeEach(async () => {
    shops += 1
    merchantId = `shop-${shops}`
    const db = hostDatabaseAt(database.address)
    await fillPayments(db, database.address.dialect, merchantId, PAYMENTS)
    await sql`update tillkit_payments set status = 'pending' where merchant_id = ${merchantId} and id = 1`.execute(
      db,
    )
    await db.destroy()
  })

  const complete = (id: number) => owner.payments.resolve({ merchantId, id }, { status: 'completed' }, NOW)
  const startCompleted = async () => {
    const { payment } = await owner.payments.start(attempt({ merchantId }), dateOf(6000))
    await complete(payment.id)
  }

  /** Has something else done before a statement is sent that reads payments (`runs`), or another one after that of blocks. */
  function reportsWith(before: (what: 'runs' | 'since blocks', n: number) => Promise<unknown>) {
    const sent = { runs: 0, 'since blocks': 0 }
    let blocks = false
    const { db } = interceptedAt(database.address, async (statement, send) => {
      // The look at a session names all tables.
      if (/current_setting/.test(statement)) return send()
      const what = /'\{\}' as "extra"/.test(statement) ? 'runs' : 'since blocks'
      if (/payment_sums/.test(statement)) blocks = true
      else if (blocks) await before(what, sent[what]++)
      return send()
    })
    const { storage } = keepingStorage(db, 'postgres', 1024)
    return { reports: storage.reports, close: () => db.destroy(), sent }
  }

  test('outcomes of payments that have been read and of others are in no report of a period', async () => {
    const { reports, close, sent } = reportsWith(async (what, n) => {
      if (what !== 'runs' || n !== 1) return
      await complete(1)
      await complete(PAYMENTS)
    })
    const { pending, completed, error } = (await reports.period(merchantId, null))?.byStatus ?? {}
    expect([pending?.count, completed?.count, error?.count]).toEqual([PENDING, COMPLETED, FAILED])
    expect(sent.runs).toBe(2)
    await close()
  })

  test('payments and outcomes are in what was taken up to one moment', async () => {
    const { reports, close, sent } = reportsWith(async (what, n) => {
      // Before that moment is taken, and right after it.
      if (what === 'since blocks' && n < 2) {
        await startCompleted()
        await complete(PAYMENTS - 1 - n)
      }
      if (what === 'runs' && n === 1) {
        await complete(1)
        await complete(PAYMENTS)
      }
    })
    const taken = async () => (await reports.takings(merchantId, BOUNDS))?.map(({ count }) => count)
    expect(await taken()).toEqual([COMPLETED + 2])
    expect(sent).toEqual({ runs: 2, 'since blocks': 2 })
    await close()
  })

  test('of a period that a cash up closes nothing is in the report of the next one', async () => {
    const reference = 'a'.repeat(32)
    const keeping = hostDatabaseAt(database.address)
    await keepingStorage(keeping, 'postgres', 1024).keep(merchantId, 0)
    await keeping.destroy()
    const { reports, close } = reportsWith(async (what, n) => {
      if (what !== 'since blocks' || n !== 0) return
      await owner.cashUps.create(merchantId, { reference, idempotencyKey: null, now: dateOf(6000) })
      await startCompleted()
    })
    const report = await reports.period(merchantId, null)
    expect(report?.firstPaymentId).toBe(PAYMENTS + 1)
    expect(report?.byStatus.completed).toMatchObject({ count: 1, totalAmount: 100n })
    await close()
  })
})
