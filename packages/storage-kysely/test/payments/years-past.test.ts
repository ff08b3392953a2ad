import { type CompiledQuery, sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { kyselyStorage } from '../../src/index.ts'
import { hostDatabaseAt, PATIENT, storageAt } from '../engines/address.ts'
import { overEveryServer } from '../engines/index.ts'
import { meterOf } from '../planner/meter-of.ts'
import { plain } from '../planner/statements.ts'
import { dateOf, fillPayments } from './payments-in-bulk.ts'

const [COUNT, PERIOD] = [20_000, 100]
/** Old and young payments; the very last are pending. */
const [OLD, YOUNG] = [100, COUNT - 100]

overEveryServer(({ create, analyze }) => {
  test('payments of years past are read at the cost of those of today', { timeout: 120_000 }, async () => {
    const { address, drop } = await create()
    const owner = storageAt(address)
    await owner.migrate()
    let queries: CompiledQuery[] = []
    const db = hostDatabaseAt(address, ({ query }) => {
      queries.push(query)
    })
    const meter = await meterOf(address, 'custom')
    onTestFinished(async () => {
      await meter.close()
      await db.destroy()
      await owner.close()
      await drop()
    })
    await fillPayments(db, address.dialect, 'shop', COUNT)
    for (const number of [1, YOUNG / PERIOD]) {
      await sql`insert into tillkit_cash_ups (merchant_id, number, reference, date, first_payment_id, last_payment_id)
        values ('shop', ${number}, ${`period-${number}`}, ${'2026-11-20 09:30:00'}, ${(number - 1) * PERIOD + 1}, ${number * PERIOD})`.execute(
        db,
      )
    }
    await analyze(db)
    const { payments, cashUps } = kyselyStorage(db, address.dialect, PATIENT)
    const page = { skip: 0, limit: 50 }

    /** Rows and entries of indexes that the engine looks at for what `work` asks, once a session is known. */
    const looked = async (work: () => Promise<unknown>) => {
      await work()
      queries = []
      await work()
      let sum = 0
      for (const query of queries.filter(({ sql }) => /^(with|select).*tillkit_/s.test(sql))) {
        const given = query.parameters.map(plain)
        sum += (await meter.measure({ sql: query.sql, parameters: given, sent: given })).touched
      }
      return sum
    }
    const reads: [string, (id: number) => Promise<unknown>][] = [
      ['by id', id => payments.get({ merchantId: 'shop', id })],
      ['by date', id => payments.list('shop', { startDate: dateOf(id - 99), endDate: dateOf(id) }, page)],
      ['of a period', id => cashUps.payments('shop', `period-${Math.ceil(id / PERIOD)}`, page)],
      ['of all, as deep as they lie', id => payments.list('shop', {}, { ...page, skip: COUNT - id })],
    ]
    for (const [name, read] of reads) {
      const [old, young] = [await looked(() => read(OLD)), await looked(() => read(YOUNG))]
      expect(old, name).toBeGreaterThan(0)
      expect(old, name).toBeLessThan(1.5 * young + 20)
    }
  })
})
