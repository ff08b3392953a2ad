import type { PendingPayment } from '@tillkit/storage'
import { type CompiledQuery, sql } from 'kysely'
import { expect, test } from 'vitest'
import { kyselyStorage } from '../../src/index.ts'
import { hostDatabaseAt, PATIENT, placeOf, storageAt } from '../engines/address.ts'
import { overEveryServer, overPostgres } from '../engines/index.ts'
import { fillPayments } from '../payments/payments-in-bulk.ts'
import { meterOf } from './meter-of.ts'
import { plain } from './statements.ts'

const [COUNT, PAGE] = [1000, 100]

overEveryServer(({ create, analyze }) => {
  test.each([{}, { partitions: 4 }])(
    'a walk goes on in a second of many pending payments where it was: %o',
    async layout => {
      const { address, drop } = await create({ apart: true })
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

overPostgres(({ create, analyze }) => {
  test('a page of merchants costs the same however many come before it', async () => {
    const { address, drop } = await create({ apart: true })
    const owner = storageAt(address)
    await owner.migrate()
    await owner.close()
    let queries: CompiledQuery[] = []
    const db = hostDatabaseAt(address, ({ query }) => {
      queries.push(query)
    })
    const id = sql`'shop-' || lpad(n::text, 6, '0')`
    await sql`insert into tillkit_merchants (id, name, tips, user_references, device_lists, created_at)
      select ${id}, 'Shop', true, true, false, now() from generate_series(1, 20000) as s(n)`.execute(db)
    await sql`insert into tillkit_ledgers (merchant_id, last_payment_id, last_date, last_cash_up_number, last_cash_up_payment_id)
      select ${id}, 0, now(), 0, 0 from generate_series(1, 20000) as s(n)`.execute(db)
    await analyze(db)
    const { merchants } = kyselyStorage(db, address.dialect, { ...PATIENT, ...placeOf(address) })
    queries = []
    expect(await merchants.list({ after: 'shop-015000', limit: 100 })).toHaveLength(100)
    const page = queries.find(({ sql }) => sql.includes('limit'))
    if (!page) throw new Error('no statement asked for a page')
    for (const mode of ['custom', 'generic'] as const) {
      const meter = await meterOf(address, mode)
      const { touched } = await meter.measure({ ...page, sent: page.parameters })
      expect(touched).toBeLessThan(1000)
      await meter.close()
    }
    await db.destroy()
    await drop()
  })
})
