import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { keepingStorage } from '../counts/keeping-storage.ts'
import { hostDatabaseAt, storageAt } from '../engines/address.ts'
import { overEveryEngine } from '../engines/index.ts'
import { merchantId, NOW } from '../faults/shop.ts'
import { dateOf, fillPayments } from '../payments/payments-in-bulk.ts'

const PAYMENTS = 60
const BLOCK = 3
/** The first ones are of the second with which the bounds begin, and so are the last ones of that with which they end. */
const BOUNDS = [dateOf(0), dateOf(900)]

overEveryEngine(({ create }) => {
  test('what was taken is counted once where only one block is kept of payments of one second', async () => {
    const { address, drop } = await create()
    const owner = storageAt(address)
    await owner.migrate()
    const db = hostDatabaseAt(address)
    const { storage, keep } = keepingStorage(db, address.dialect, BLOCK)
    const taken = async (of: string | null) =>
      (await storage.reports.takings(of, BOUNDS))?.map(({ count }) => count)
    for (const block of [0, 1, 2, 3, 4]) {
      const merchantId = `shop-${block}`
      await fillPayments(db, address.dialect, merchantId, PAYMENTS, 8)
      const [before] = (await taken(merchantId)) ?? []
      await keep(merchantId, block)
      // Of sixty the last twenty are pending, and one has failed.
      expect(before).toBe(39)
      expect(await taken(merchantId)).toEqual([39])
      expect(await taken(null)).toEqual([39 * (block + 1)])
    }
    await db.destroy()
    await owner.close()
    await drop()
  })

  test('what was pending when its block was kept is counted once it is completed, though it is of the first second', async () => {
    const { address, drop } = await create()
    const owner = storageAt(address)
    await owner.migrate()
    const db = hostDatabaseAt(address)
    const { storage, keep } = keepingStorage(db, address.dialect, BLOCK)
    await fillPayments(db, address.dialect, merchantId, BLOCK, 8)
    await keep(merchantId, 0)
    await storage.payments.resolve({ merchantId, id: 1 }, { status: 'completed' }, NOW)
    for (const of of [merchantId, null]) {
      expect(await storage.reports.takings(of, BOUNDS)).toMatchObject([{ count: 1 }])
    }
    await db.destroy()
    await owner.close()
    await drop()
  })

  test('sums beyond what a number holds are exact, kept and added up', async () => {
    const { address, drop } = await create()
    const owner = storageAt(address)
    await owner.migrate()
    const db = hostDatabaseAt(address)
    const { storage, keepAll } = keepingStorage(db, address.dialect, BLOCK)
    await fillPayments(db, address.dialect, 'shop', PAYMENTS)
    await sql`update tillkit_payments set total_amount = ${sql.lit(Number.MAX_SAFE_INTEGER)}`.execute(db)
    const amounts = async () => {
      const [taken] = (await storage.reports.takings('shop', BOUNDS)) ?? []
      const period = await storage.reports.period('shop', null)
      return [taken?.totalAmount, period?.byStatus.completed.totalAmount]
    }
    const sum = 39n * BigInt(Number.MAX_SAFE_INTEGER)
    expect(await amounts()).toEqual([sum, sum])
    await keepAll('shop')
    expect(await amounts()).toEqual([sum, sum])
    await db.destroy()
    await owner.close()
    await drop()
  })
})
