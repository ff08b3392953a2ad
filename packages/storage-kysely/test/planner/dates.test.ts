import type { PaymentFilter } from '@tillkit/domain'
import { type CompiledQuery, type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { kyselyStorage, type Layout } from '../../src/index.ts'
import { type HostTables, hostDatabaseAt, PATIENT, storageAt } from '../engines/address.ts'
import type { TestDatabase } from '../engines/engine.ts'
import { overMysql } from '../engines/index.ts'
import { mysqlNumbers } from '../engines/numbers.ts'
import { meterOf } from './meter-of.ts'
import { plain } from './statements.ts'

/** Payments of one merchant, and of a hundred others together, one of each a minute. */
const [COUNT, OTHERS] = [20_000, 40_000]

/** More than any of these statements has to look at. */
const FEW = 100

const LAYOUTS: [string, string, Layout][] = [
  ['tables as they are', 'tillkit_', {}],
  ['tables of another prefix', 'Shop-', {}],
  ['tables of partitions', 'tillkit_', { partitions: 4 }],
]

const dateOf = (share: number, more = 0) =>
  `${new Date(Date.UTC(2024, 0, 1, 0, share * COUNT + more)).toISOString().slice(0, 19)}Z`

overMysql(({ create }) => {
  describe.each(LAYOUTS)('%s', (_, tablePrefix, layout) => {
    let database: TestDatabase
    let db: Kysely<HostTables>
    let queries: CompiledQuery[] = []

    beforeAll(async () => {
      database = await create({ apart: true })
      const owner = storageAt(database.address, { tablePrefix })
      await owner.migrate(layout)
      await owner.close()
      db = hostDatabaseAt(database.address, ({ query }) => {
        queries.push(query)
      })
      const [payments, ledgers] = ['payments', 'ledgers'].map(name => sql.table(`${tablePrefix}${name}`))
      const fill = (merchantId: string, id: string, count: number) =>
        sql`insert into ${payments} (merchant_id, id, status, date, total_amount, scan_code, is_voucher,
          is_voucher_redemption, strict, extra)
          select ${sql.raw(merchantId)}, ${sql.raw(id)}, 'completed',
            timestampadd(minute, ${sql.raw(id)}, '2024-01-01 00:00:00'), 1, 'desk-1', 0, 0, 0, '{}'
          from ${sql.raw(`${mysqlNumbers(1, count)} as s`)}`.execute(db)
      await fill(`'shop'`, 'n', COUNT)
      await fill(`concat('other-', n % 100)`, 'n', OTHERS)
      await sql`insert into ${ledgers} (merchant_id, last_payment_id, last_date, last_cash_up_number, last_cash_up_payment_id)
        values ('shop', ${COUNT}, timestampadd(minute, ${COUNT}, '2024-01-01 00:00:00'), 0, 0)`.execute(db)
    })

    afterAll(async () => {
      await db.destroy()
      await database.drop()
    })

    /** What is looked at by the statements that `work` sends. A prepared one may be planned otherwise when it is sent again. */
    const touchedBy = async (work: () => Promise<unknown>) => {
      queries = []
      await work()
      const sent = queries.filter(query => query.sql.includes(tablePrefix))
      const meter = await meterOf(database.address, 'custom')
      try {
        const touched: number[] = []
        for (const query of [...sent, ...sent, ...sent]) {
          const parameters = query.parameters.map(plain)
          touched.push((await meter.measure({ sql: query.sql, parameters, sent: parameters })).touched)
        }
        return touched
      } finally {
        await meter.close()
      }
    }

    // Statistics are of some pages, and others each time.
    test.each([1, 2, 3])(
      'an hour costs looks into the index of dates, however many there are, by statistics taken the %s. time',
      async () => {
        await sql`analyze table ${sql.table(`${tablePrefix}payments`)}`.execute(db)
        const { payments } = kyselyStorage(db, 'mysql', { ...PATIENT, tablePrefix })
        for (const share of [0.1, 0.3, 0.45, 0.6, 0.8]) {
          const [startDate, endDate] = [dateOf(share), dateOf(share, 60)]
          const page = (dates: PaymentFilter) => () => payments.list('shop', dates, { skip: 0, limit: 10 })
          const touched = {
            between: await touchedBy(page({ startDate, endDate })),
            since: await touchedBy(page({ startDate })),
            before: await touchedBy(page({ endDate })),
            range: await touchedBy(() => payments.idRange('shop', { startDate, endDate })),
            repair: await touchedBy(() => payments.repairDates('shop', startDate.replace('Z', '.000Z'), 1)),
          }
          const many = Object.entries(touched).filter(([, rows]) => Math.max(...rows) > FEW)
          expect({ share, many }).toEqual({ share, many: [] })
        }
      },
    )
  })
})
