import { later, secondOf } from '@tillkit/domain'
import { sql } from 'kysely'
import { insertPayments } from '../payments/starting/insert-payments.ts'
import { columnsOf } from '../schema/columns.ts'
import { instantOf } from '../schema/dates.ts'
import { LEDGER_COLUMNS, toLedger } from '../schema/rows/rows.ts'
import type { Database } from '../session/database.ts'
import { jsonRows, lockFree, prepareForRows } from '../session/statements/json-rows.ts'
import { writeEach } from '../session/transactions/write-each.ts'
import { givenTime } from '../time/given-time.ts'
import { findRefused } from './find-refused.ts'
import type { Start, StartOfEach } from './start-all.ts'

type LockedRow = Parameters<typeof toLedger>[0] & { place: number | string; now: string }

const TIMED = { merchant_id: 'longtext', at: 'longtext' } as const
const ADVANCED = { merchant_id: 'longtext', id: 'longtext', date: 'longtext' } as const

/**
 * As many round trips as for one, whatever their number. Passed by are those whose merchant's lock another has or whose merchant takes
 * no payments, those whose scan code is suspended, and those whose attempt key is known.
 */
export function startOfEachInSteps(database: Database): StartOfEach {
  const { dialect } = database
  const ledgers = sql.table('ledgers')
  const ofLedger = sql`ledger.merchant_id = given.merchant_id`
  const lock = prepareForRows(
    database,
    rows => sql<LockedRow>`
      select given.place, ${sql.join(columnsOf(dialect, 'ledgers', LEDGER_COLUMNS, 'ledger'))},
        ${dialect.timeOf(dialect.orNow(sql.ref('given.at')))} as now
      from ${jsonRows(rows, TIMED)} straight_join ${ledgers} as ledger on ${ofLedger}
      where ledger.suspended_at is null
      ${lockFree('ledger')}`,
  )
  const refusedOf = findRefused(database)
  const insert = insertPayments(database)
  const advance = prepareForRows(
    database,
    rows => sql`
      update ${jsonRows(rows, ADVANCED)} straight_join ${ledgers} as ledger on ${ofLedger}
      set ledger.last_payment_id = given.id, ledger.last_date = given.date`,
  )

  return async (session, starts) => {
    const timed = starts.map(({ payment, now }) => ({
      merchant_id: payment.merchantId,
      at: givenTime(dialect, now),
    }))
    const free = (await session.all(lock(timed))).map(row => {
      const place = Number(row.place) - 1
      return { row, place, ...(starts[place] as Start) }
    })
    const refused = await refusedOf(
      session,
      free.map(({ payment }) => payment),
    )
    const started = free
      .filter(({ payment }) => !refused.has(payment))
      .map(({ row, place, payment, now }) => {
        const { lastPaymentId, lastDate } = toLedger(row)
        const date = later(secondOf(now ?? instantOf(row.now)), lastDate)
        return { place, id: lastPaymentId + 1, date, payment }
      })
    if (started.length === 0) return []
    await insert(session, started)
    const advanced = started.map(({ payment, id, date }) => ({
      ...{ merchant_id: payment.merchantId, id },
      date: dialect.time(date),
    }))
    await writeEach(session, advance(advanced), advanced.length)
    return started
  }
}
