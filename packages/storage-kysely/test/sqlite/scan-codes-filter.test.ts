import type { PaymentFilter } from '@tillkit/domain'
import type { CompiledQuery } from 'kysely'
import { expect, test } from 'vitest'
import { kyselyStorage } from '../../src/index.ts'
import { hostDatabaseAt, PATIENT, storageAt } from '../engines/address.ts'
import { sqlite } from '../engines/sqlite.ts'
import { dateOf, fillPayments } from '../payments/payments-in-bulk.ts'

test.each([false, true])(
  'payments of a scan code are found by it, and not along the key: analyzed is %s',
  async analyzed => {
    const { address, drop } = await sqlite.create()
    const owner = storageAt(address)
    await owner.migrate()
    await owner.close()
    let queries: CompiledQuery[] = []
    const db = hostDatabaseAt(address, ({ query }) => {
      queries.push(query)
    })
    for (const merchantId of ['a', 'shop', 'z']) await fillPayments(db, 'sqlite', merchantId, 1000)
    if (analyzed) await sqlite.analyze(db)
    const { payments } = kyselyStorage(db, 'sqlite', PATIENT)
    const scanCode = 'till-1'
    const filters: PaymentFilter[] = [
      { scanCode },
      { scanCode, status: ['completed', 'error'] },
      { scanCode, startDate: dateOf(100), endDate: dateOf(900) },
    ]
    for (const filter of filters) {
      queries = []
      await payments.list('shop', filter, { skip: 0, limit: 20 })
      await payments.walk('shop', filter, { first: 1, last: 900 }, 20)
      const sent = queries.filter(({ sql }) => sql.includes('scan_code" ='))
      expect(sent.length).toBeGreaterThan(1)
      for (const query of sent) {
        for (const { table, by } of await sqlite.accesses(db, query)) {
          if (table.endsWith('payments'))
            expect({ sql: query.sql, by }).toMatchObject({ by: expect.stringMatching(/scan_code=/) })
        }
      }
    }
    await db.destroy()
    await drop()
  },
)
