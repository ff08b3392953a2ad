import type { Storage } from '@tillkit/storage'
import { createTill } from '@tillkit/till'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { keepingStorage } from '../counts/keeping-storage.ts'
import { hostDatabaseAt, storageAt } from '../engines/address.ts'
import { overEveryEngine } from '../engines/index.ts'
import { merchantId } from '../faults/shop.ts'
import { dateOf, fillPayments } from '../payments/payments-in-bulk.ts'

const PAYMENTS = 2500
const QUARTER = 900
const BOUNDS = Array.from({ length: 5 }, (_, n) => dateOf(n * QUARTER))

/** What was taken in each quarter, added up one by one. */
async function recounted({ payments }: Storage): Promise<number[]> {
  const { items } = await payments.list(merchantId, { status: ['completed'] }, { skip: 0, limit: PAYMENTS })
  const within = (n: number) =>
    items.filter(({ date }) => date >= dateOf(n * QUARTER) && date < dateOf((n + 1) * QUARTER))
  return BOUNDS.slice(1).map((_, n) => within(n).reduce((sum, { totalAmount }) => sum + totalAmount, 0))
}

const taken = async ({ reports }: Storage, of: string | null) =>
  (await reports.takings(of, BOUNDS))?.map(({ totalAmount }) => Number(totalAmount))

overEveryEngine(({ create }) => {
  test('what was taken is true between the steps of a repair of dates, and where it ends after the first', async () => {
    const { address, drop } = await create()
    const owner = storageAt(address)
    await owner.migrate()
    const db = hostDatabaseAt(address)
    await fillPayments(db, address.dialect, merchantId, PAYMENTS)
    await sql`update tillkit_payments set status = 'completed' where status = 'pending'`.execute(db)
    const { storage, keepAll } = keepingStorage(db, address.dialect, 1024)
    await keepAll(merchantId)

    let steps = 0
    const payments: Storage['payments'] = {
      ...storage.payments,
      repairDates: async (...step) => {
        if (steps === 1) throw new Error('killed')
        steps += 1
        return storage.payments.repairDates(...step)
      },
    }
    const clock = { now: dateOf(800) }
    const till = createTill({
      storage: { ...storage, payments },
      logger: false,
      clock: () => new Date(clock.now),
    })
    const whole = await recounted(storage)
    expect(await taken(storage, merchantId)).toEqual(whole)
    await expect(till.repairDates(merchantId)).rejects.toThrow('killed')
    const half = await recounted(storage)
    expect(half).not.toEqual(whole)
    for (const of of [merchantId, null]) expect(await taken(storage, of)).toEqual(half)

    // The wrong time passes: nothing is ahead any more.
    clock.now = dateOf(2 * PAYMENTS)
    steps = 0
    expect(await till.repairDates(merchantId)).toMatchObject({ payments: 0 })
    for (const of of [merchantId, null]) expect(await taken(storage, of)).toEqual(half)

    // Repaired to the end, the last payment is dated otherwise than what is kept of it.
    clock.now = dateOf(800)
    steps = Number.NEGATIVE_INFINITY
    await till.repairDates(merchantId)
    const period = await storage.reports.period(merchantId, null)
    expect([period?.from, period?.to]).toEqual([dateOf(1), dateOf(800)])
    expect((await owner.payments.get({ merchantId, id: PAYMENTS }))?.date).toBe(dateOf(800))
    await till.close()
    await db.destroy()
    await owner.close()
    await drop()
  })
})
