import type { PendingPayment } from '@tillkit/storage'
import { type CompiledQuery, sql } from 'kysely'
import { expect, test } from 'vitest'
import { kyselyStorage } from '../src/index.ts'
import { hostDatabaseAt, PATIENT, placeOf, storageAt } from './engines/address.ts'
import { overEveryServer } from './engines/index.ts'
import { fillPayments } from './payments-in-bulk.ts'
import { meterOf } from './planner/meter-of.ts'
import { plain } from './planner/statements.ts'

const [COUNT, PAGE] = [1000, 100]

overEveryServer(({ create, analyze }) => {
  test.each([{}, { partitions: 4 }])(
    'a walk goes on in a second of many pending payments where it was: %o',
    async layout => {
      const { address, drop } = await create()
      const owner = storageAt(address)
      await owner.migrate(layout)
      await owner.close()
      let queries: CompiledQuery[] = []
      const db = hostDatabaseAt(address, ({ query }) => {
        queries.push(query)
      })
      for (const merchantId of ['a', 'shop', 'z'])
        await fillPayments(db, address.dialect, merchantId, COUNT, COUNT + 1)
      await sql`update tillkit_payments set status = 'pending'`.execute(db)
      await analyze(db)
      const { payments } = kyselyStorage(db, address.dialect, { ...PATIENT, ...placeOf(address) })
      const meter = await meterOf(address, 'custom')
      let after: PendingPayment | undefined
      let [seen, looked] = [0, 0]
      do {
        queries = []
        const found = await payments.pendingSince({ date: '2026-11-20T10:00:00Z', after, limit: PAGE })
        for (const { sql, parameters } of queries.filter(one => one.sql.includes('limit'))) {
          const sent = parameters.map(plain)
          const { touched } = await meter.measure({ sql, parameters: sent, sent })
          looked += touched
        }
        seen += found.length
        after = found.at(-1)
      } while (after)
      expect(seen).toBe(3 * COUNT)
      expect(looked).toBeLessThan(5 * seen)
      await meter.close()
      await db.destroy()
      await drop()
    },
  )
})
