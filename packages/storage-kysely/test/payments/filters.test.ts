import { EXACT_FILTERS, type Payment, type PaymentFilter, type Slice } from '@tillkit/domain'
import type { Storage } from '@tillkit/storage'
import fc from 'fast-check'
import type { Kysely } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { kyselyStorage } from '../../src/index.ts'
import { type HostTables, hostDatabaseAt, PATIENT, storageAt } from '../engines/address.ts'
import type { TestDatabase } from '../engines/engine.ts'
import { overEveryEngine } from '../engines/index.ts'
import { fillPayments } from './payments-in-bulk.ts'

/** More than two blocks of ids of an index, and not a whole number of them; five payments have one date. */
const [COUNT, IN_EACH_SECOND] = [611, 5]
const SECONDS = Math.floor(COUNT / IN_EACH_SECOND)
const FIRST = Date.parse('2026-11-20T09:30:00Z')
const second = (n: number) => `${new Date(FIRST + n * 1000).toISOString().slice(0, 19)}Z`

/** What a list is by the words of the specification. */
function passing(payments: Payment[], filter: PaymentFilter): Payment[] {
  const { startDate = '', endDate = '9', status } = filter
  return payments.filter(
    payment =>
      payment.date >= startDate &&
      payment.date < endDate &&
      (status === undefined || status.includes(payment.status)) &&
      EXACT_FILTERS.every(name => filter[name] === undefined || filter[name] === payment[name]),
  )
}

const FILTERS = fc.record(
  {
    startDate: fc.integer({ min: -1, max: SECONDS + 1 }).map(second),
    endDate: fc.integer({ min: -1, max: SECONDS + 1 }).map(second),
    status: fc.subarray<Payment['status']>(['completed', 'error', 'pending'], { minLength: 1 }),
    scanCode: fc.integer({ min: 0, max: 20 }).map(n => `till-${n}`),
    scanCodeReference: fc.integer({ min: 0, max: 20 }).map(n => `Counter ${n}`),
    userReference: fc.integer({ min: 0, max: 500 }).map(n => `user-${n}`),
    merchantReference: fc.integer({ min: 1, max: COUNT }).map(n => `order-${n}`),
    statementReference: fc.integer({ min: 0, max: 30 }).map(n => `BANK-${n}`),
  },
  { requiredKeys: [] },
)
const SLICES: fc.Arbitrary<Slice> = fc.record({
  skip: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 300 })),
  limit: fc.integer({ min: 1, max: 100 }),
})

overEveryEngine(({ create }) => {
  let database: TestDatabase
  let db: Kysely<HostTables>
  let storage: Storage
  let all: Payment[]

  beforeAll(async () => {
    database = await create()
    const owner = storageAt(database.address)
    await owner.migrate()
    await owner.close()
    db = hostDatabaseAt(database.address)
    for (const merchantId of ['a', 'shop', 'z']) {
      await fillPayments(db, database.address.dialect, merchantId, COUNT, IN_EACH_SECOND)
    }
    storage = kyselyStorage(db, database.address.dialect, PATIENT)
    all = (await storage.payments.list('shop', {}, { skip: 0, limit: COUNT })).items
  })

  afterAll(async () => {
    await db.destroy()
    await database.drop()
  })

  test('any filters together are exact, and so are their totals and pages', async () => {
    expect(all.length).toBe(COUNT)
    const exact = fc.asyncProperty(FILTERS, SLICES, async (filter, { skip, limit }) => {
      const expected = passing(all, filter)
      const { items, total } = await storage.payments.list('shop', filter, { skip, limit })
      expect({ total, items }).toEqual({ total: expected.length, items: expected.slice(skip, skip + limit) })
    })
    await fc.assert(exact, { numRuns: 5 * Number(process.env.TILLKIT_RUNS ?? 30) })
  })

  test('each second begins with the first of its payments', async () => {
    for (let n = -1; n <= SECONDS + 1; n++) {
      const [startDate, endDate] = [second(n), second(n + 1)]
      for (const filter of [{ startDate }, { endDate }, { startDate, endDate }]) {
        const { items, total } = await storage.payments.list('shop', filter, { skip: 0, limit: 3 })
        const expected = passing(all, filter)
        expect({ filter, total, items }).toEqual({
          filter,
          total: expected.length,
          items: expected.slice(0, 3),
        })
      }
    }
  })
})
