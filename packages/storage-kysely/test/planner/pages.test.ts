import type { PaymentFilter, Slice } from '@tillkit/domain'
import type { Storage } from '@tillkit/storage'
import { type CompiledQuery, type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dialectOf } from '../../src/dialects/index.ts'
import { kyselyStorage } from '../../src/index.ts'
import { databaseOf } from '../../src/kysely-storage.ts'
import { countingStorage } from '../counts/counting-storage.ts'
import { fillDeliveries } from '../deliveries/deliveries-in-bulk.ts'
import { type HostTables, hostDatabaseAt, PATIENT, placeOf, storageAt } from '../engines/address.ts'
import type { Engine, TestDatabase } from '../engines/engine.ts'
import { overEveryServer, overMysql, overPostgres } from '../engines/index.ts'
import { dateOf, fillPayments } from '../payments/payments-in-bulk.ts'
import { meterOf } from './meter-of.ts'
import { plain } from './statements.ts'
import type { PlanMode } from './work.ts'

/** Payments of one merchant, one in 25 of which failed, and of another. */
const COUNT = 20_000
const FAILED = COUNT / 25

/** What a statement may look at besides what it counts, passes by and answers. */
const FEW = 300

/** What is asked for of the merchant called `shop`. */
type Work = (storage: Storage) => Promise<unknown>

/** Tables that were analyzed while they were empty, and have been filled since. */
function filledTables({ create, analyze }: Engine) {
  let database: TestDatabase
  let db: Kysely<HostTables>
  let storage: Storage
  let queries: CompiledQuery[] = []

  beforeAll(async () => {
    database = await create({ apart: true })
    const { address } = database
    const owner = storageAt(address)
    await owner.migrate()
    await owner.close()
    db = hostDatabaseAt(address, ({ query }) => {
      queries.push(query)
    })
    // Without what is counted ahead beside a page, whose statements would be taken for the page's.
    storage = countingStorage(db, address.dialect, 1024).storage
    if (address.dialect === 'postgres')
      await sql`alter table tillkit_payments set (autovacuum_enabled = off)`.execute(db)
    await analyze(db)
    const parts = databaseOf(db as never, dialectOf(address.dialect), {})
    for (const merchantId of ['another', 'shop']) {
      await fillPayments(db, address.dialect, merchantId, COUNT, 1, () => scanCode)
      await fillDeliveries(db, parts, merchantId, COUNT)
    }
    await fillDeliveries(db, parts, 'gone', COUNT)
    // By its size alone PostgreSQL takes the table for one of many rows.
    if (address.dialect === 'postgres')
      await sql`update tillkit_payments set extra = jsonb_build_object('note', repeat('x', 1800))`.execute(db)
    await sql`update tillkit_deliveries set state = 'pending' where merchant_id = 'shop'`.execute(db)
    await sql`update tillkit_payments set status = 'pending' where merchant_id = 'another'`.execute(db)
    await sql`insert into tillkit_cash_ups
      (merchant_id, number, reference, date, first_payment_id, last_payment_id, completed_total)
      select 'shop', 1, 'period', last_date, 1, ${COUNT - 20}, ${COUNT - FAILED - 20}
      from tillkit_ledgers where merchant_id = 'shop'`.execute(db)
  }, 120_000)

  afterAll(async () => {
    await db.destroy()
    await database.drop()
  })

  /** The most that one of the statements that `work` sends looks at, each sent a few times to one session. */
  return async (work: Work, mode: PlanMode = 'custom', which = /tillkit_/) => {
    queries = []
    await work(storage)
    const sent = queries.filter(({ sql }) => which.test(sql) && /^(select|with)/.test(sql))
    const meter = await meterOf(database.address, mode)
    try {
      let most = 0
      for (const query of [...sent, ...sent, ...sent]) {
        const parameters = query.parameters.map(plain)
        const { touched } = await meter.measure({ sql: query.sql, parameters, sent: parameters })
        most = Math.max(most, touched)
      }
      return most
    } finally {
      await meter.close()
    }
  }
}

const listed =
  (filter: PaymentFilter, slice: Slice, merchantId = 'shop'): Work =>
  ({ payments }) =>
    payments.list(merchantId, filter, slice)
const periodAt =
  (slice: Slice): Work =>
  ({ cashUps }) =>
    cashUps.payments('shop', 'period', slice)

const [FIRST_PAGE, DEEP, PAST] = [0, 5000, 1_000_000].map(skip => ({ skip, limit: 100 })) as [
  Slice,
  Slice,
  Slice,
]
const completed: PaymentFilter = { status: ['completed'] }
const uncompleted: PaymentFilter = { status: ['pending', 'error'] }
const known: PaymentFilter = { status: ['completed', 'error'] }
const userReference = 'user-2'
const OF_USER = COUNT / 500
/** All of a merchant's have this one. */
const scanCode = 'only'

overEveryServer(engine => {
  describe('pages of payments', () => {
    const touchedBy = filledTables(engine)
    const modes: PlanMode[] = engine.name === 'PostgreSQL' ? ['custom', 'generic'] : ['custom']
    // So many are looked at to see which of two filters has the fewest; MariaDB puts each into a table and reads it there. What it
    // counts by a statement that it runs again, it looks up in the rows too, where the one before read more of the table.
    const times = engine.name === 'PostgreSQL' ? 1 : 2
    const counted = times * FAILED
    const look = (fewest: number) => times * ((fewest < 250 ? 250 : 4000) + fewest)
    const cases: [string, Work, number][] = [
      ['completed ones', listed(completed, FIRST_PAGE), counted],
      ['completed ones since', listed({ ...completed, startDate: dateOf(100) }, FIRST_PAGE), counted],
      ['completed ones that lie deep', listed(completed, DEEP), counted + DEEP.skip * 1.1],
      ['completed ones past the end', listed(completed, PAST), counted],
      ['uncompleted ones past the end', listed(uncompleted, PAST), counted],
      ['known ones past the end', listed(known, PAST), counted],
      ['those of a period', periodAt(FIRST_PAGE), 0],
      ['those of a period that lie a bit deeper', periodAt({ ...FIRST_PAGE, skip: 400 }), 400 * 1.1],
      ['those of a period that lie deep', periodAt(DEEP), DEEP.skip * 1.1],
      ['those of a period past the end', periodAt(PAST), 0],
      ['pending ones of a user', listed({ userReference, status: ['pending'] }, FIRST_PAGE), 0],
      ['failed ones of a user', listed({ userReference, status: ['error'] }, FIRST_PAGE), look(OF_USER)],
      ['a user’s at a till that all have', listed({ scanCode, userReference }, FIRST_PAGE), look(OF_USER)],
      [
        'pending ones at a till that all have',
        listed({ scanCode, status: ['pending'] }, FIRST_PAGE),
        look(20),
      ],
      [
        'failed ones at a till that all have',
        listed({ scanCode, status: ['error'] }, FIRST_PAGE),
        look(FAILED),
      ],
      ['uncompleted ones at that till', listed({ scanCode, ...uncompleted }, FIRST_PAGE), look(FAILED)],
      [
        'pending ones at a till where all are',
        listed({ scanCode, status: ['pending'] }, FIRST_PAGE, 'another'),
        7 * COUNT,
      ],
      [
        'pending ones of a user where all are',
        listed({ userReference, status: ['pending'] }, FIRST_PAGE, 'another'),
        look(OF_USER),
      ],
    ]

    test.each(modes.flatMap(mode => cases.map(one => [mode, ...one] as const)))(
      'by a plan that is %s, no more is looked at than a page needs: %s',
      async (mode, _, work, passed) => {
        expect(await touchedBy(work, mode)).toBeLessThan(passed + FEW)
      },
    )

    // What PostgreSQL's index says of rows as they were before the changes above, it looks at too.
    const [LATELY, TILL_LATER] = [dateOf(COUNT - 200), dateOf(COUNT + 700)]
    test.each(modes)(
      'by a plan that is %s, what was taken lately is found beside all that was never paid before',
      async mode => {
        const taken: Work = ({ reports }) => reports.takings('another', [LATELY, TILL_LATER])
        expect(await touchedBy(taken, mode)).toBeLessThan(4 * 200 + FEW)
      },
    )
  })
})

overMysql(engine => {
  describe('what is counted', () => {
    const touchedBy = filledTables(engine)

    test('of deliveries of a state are those, also by a session that has read a page of them', async () => {
      const page: Work = ({ deliveries }) => deliveries.list('shop', 'pending', FIRST_PAGE)
      // Each in the index and, by a statement that is run again after such a page, in its row.
      expect(await touchedBy(page)).toBeLessThan(2 * COUNT + FEW)
    })

    test('of pending payments for an inspection are those', { timeout: 90_000 }, async () => {
      const inspection: Work = ({ inspect }) =>
        inspect?.({ now: null, longTransactionSeconds: 60, webhookKeyPrefixes: [] }) ?? Promise.resolve()
      const touched = () => touchedBy(inspection, 'custom', /pending_date/)
      // By a session that meets the table as a page left it, each is looked up in its row as well; as many as all payments are.
      await expect.poll(touched, { timeout: 60_000 }).toBeLessThan(COUNT + FEW)
    })
  })
})

overPostgres(({ create }) => {
  test.each(['custom', 'generic'] as const)(
    'by a plan that is %s, a page of cash ups in partitions is found by their numbers',
    async mode => {
      const { address, drop } = await create({ apart: true })
      const owner = storageAt(address)
      await owner.migrate({ partitions: 4 })
      await owner.close()
      let queries: CompiledQuery[] = []
      const db = hostDatabaseAt(address, ({ query }) => {
        queries.push(query)
      })
      await sql`insert into tillkit_ledgers (merchant_id, last_payment_id, last_date, last_cash_up_number, last_cash_up_payment_id)
        values ('shop', 5000, now(), 5000, 5000)`.execute(db)
      await sql`insert into tillkit_cash_ups (merchant_id, number, reference, date, first_payment_id, last_payment_id)
        select 'shop', n, 'period-' || n, now(), n, n from generate_series(1, 5000) as s(n)`.execute(db)
      const { cashUps } = kyselyStorage(db, address.dialect, { ...PATIENT, ...placeOf(address) })
      const meter = await meterOf(address, mode)
      for (const skip of [0, 3000, 10_000]) {
        queries = []
        const { items, total } = await cashUps.list('shop', { skip, limit: 50 })
        expect({ items: items.length, total }).toEqual({ items: skip > 5000 ? 0 : 50, total: 5000 })
        for (const { sql, parameters } of queries.filter(one => one.sql.includes('cash_ups'))) {
          const { touched } = await meter.measure({ sql, parameters, sent: parameters })
          expect(touched).toBeLessThan(FEW)
        }
      }
      await meter.close()
      await db.destroy()
      await drop()
    },
  )
})
