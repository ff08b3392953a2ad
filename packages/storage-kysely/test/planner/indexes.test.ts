import type { PaymentFilter, PaymentStatus } from '@tillkit/domain'
import type { CompiledQuery, Kysely } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { kyselyStorage } from '../../src/index.ts'
import { countingStorage } from '../counts/counting-storage.ts'
import { type HostTables, hostDatabaseAt, PATIENT, storageAt } from '../engines/address.ts'
import type { TestDatabase } from '../engines/engine.ts'
import { overEveryEngine } from '../engines/index.ts'
import { fillPayments } from '../payments/payments-in-bulk.ts'

const EXACT: PaymentFilter[] = [
  { scanCode: 'till-1' },
  { scanCodeReference: 'Counter 1' },
  { userReference: 'user-100' },
  { merchantReference: 'order-100' },
  { statementReference: 'BANK-1' },
]
const STATUSES: PaymentStatus[][] = [
  ['completed'],
  ['pending'],
  ['error'],
  ['pending', 'error'],
  ['completed', 'error'],
  ['completed', 'pending'],
]
const [startDate, endDate] = ['2026-11-20T10:00:00Z', '2026-11-20T10:10:00Z']
const DATES: PaymentFilter[] = [{ startDate }, { endDate }, { startDate, endDate }]

const FILTERS: PaymentFilter[] = [
  {},
  ...DATES,
  ...STATUSES.map(status => ({ status })),
  ...EXACT,
  ...EXACT.map(exact => ({ ...exact, startDate, endDate })),
  ...EXACT.map(exact => ({ ...exact, status: ['completed' as const] })),
  Object.assign({}, ...EXACT, { status: ['pending'], startDate, endDate }),
]

overEveryEngine(({ create, analyze, accesses }) => {
  let database: TestDatabase
  let db: Kysely<HostTables>
  let queries: CompiledQuery[] = []

  beforeAll(async () => {
    database = await create({ apart: true })
    const storage = storageAt(database.address)
    await storage.migrate()
    await storage.close()
    db = hostDatabaseAt(database.address, ({ query }) => {
      queries.push(query)
    })
    for (const merchantId of ['a', 'shop', 'z'])
      await fillPayments(db, database.address.dialect, merchantId, 3000)
    await analyze(db)
  })

  afterAll(async () => {
    await db.destroy()
    await database.drop()
  })

  test.each(FILTERS)(
    'payments filtered by %j are found through an index that starts with the merchant',
    async filter => {
      queries = []
      // Nothing is counted beside it, whose statements would be among these.
      const { storage } = countingStorage(db, database.address.dialect, 1024)
      const { total } = await storage.payments.list('shop', filter, { skip: 0, limit: 50 })
      const sent = [...queries]
      for (const query of sent) {
        for (const access of await accesses(db, query)) {
          // A ledger is one row of a small table, found by its key or by looking at all of it.
          if (!access.table.endsWith('payments')) continue
          expect({ ...access, sql: query.sql }).toMatchObject({ index: expect.any(String) })
          expect(access.by).toMatch(/merchant_id/)
        }
      }
      expect(total).toBeLessThan(3001)
    },
  )

  test('what is pending over all merchants is walked along the index that holds it', async () => {
    const storage = kyselyStorage(db, database.address.dialect, PATIENT)
    const date = '2026-11-20T12:00:00Z'
    // A connection's first use looks at its session.
    await storage.merchants.get('nobody')
    queries = []
    const first = await storage.payments.pendingSince({ date, limit: 7 })
    const next = await storage.payments.pendingSince({ date, after: first[6], limit: 1000 })
    expect([first.length, next.length]).toEqual([7, 53])
    const sent = [...queries]
    expect(sent.length).toBe(2)
    for (const query of sent) {
      expect(await accesses(db, query)).toMatchObject([{ index: 'tillkit_payments_pending' }])
    }
  })
})
