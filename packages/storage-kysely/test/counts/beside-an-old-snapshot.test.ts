import type { PaymentStatus } from '@tillkit/domain'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { kyselyStorage } from '../../src/index.ts'
import { PATIENT } from '../engines/address.ts'
import { openHeardHost } from '../engines/heard-host.ts'
import { overPostgres } from '../engines/index.ts'
import { fillPayments } from '../payments/payments-in-bulk.ts'
import { meterOf } from '../planner/meter-of.ts'
import { blocksOf } from './recount.ts'

const COUNT = 16_384

overPostgres(engine => {
  test('totals by status look at no outcome that a block has counted, though an old snapshot keeps in their index what was pending', async () => {
    const { address, db, queries } = await openHeardHost(engine)
    const { payments } = kyselyStorage(db, 'postgres', PATIENT)
    const list = (status: PaymentStatus[], dates = {}) =>
      payments.list('shop', { status, ...dates }, { skip: 0, limit: 5 })
    await fillPayments(db, 'postgres', 'shop', COUNT)
    await db.transaction().execute(async reader => {
      await sql`set transaction isolation level repeatable read`.execute(reader)
      await sql`select count(*) from tillkit_payments`.execute(reader)
      // One after another they lie on pages far apart, as those of many merchants do.
      for (let n = 0; n < 16; n++) {
        await sql`update tillkit_payments set status = 'pending' where id % 16 = ${n}`.execute(db)
      }
      await sql`update tillkit_payments set status = 'completed' where id <= ${COUNT - 20}`.execute(db)
      await engine.analyze(db)
      await vi.waitFor(
        async () => {
          await list(['completed'])
          expect((await blocksOf(db, 'shop')).at(-1)?.up_to).toBe(COUNT - 1024)
        },
        { timeout: 60_000, interval: 2000 },
      )

      const meter = await meterOf(address, 'custom')
      for (const [status, dates] of [
        ['completed', {}],
        ['pending', {}],
        ['completed', { startDate: '2026-11-20T10:00:00Z' }],
      ] as const) {
        await list([status], dates)
        const asked = queries.findLast(({ sql }) => /payment_blocks/.test(sql))
        if (!asked) throw new Error('no block was looked at')
        const { touched, plan } = await meter.measure({ ...asked, sent: asked.parameters })
        expect(touched, plan).toBeLessThan(COUNT / 16)
      }
      await meter.close()
    })
  })
})
