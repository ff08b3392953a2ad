import { later, secondOf } from '@tillkit/domain'
import { sql } from 'kysely'
import { insertPayments } from '../payments/insert-payments.ts'
import { columnsOf } from '../schema/columns.ts'
import { instantOf } from '../schema/dates.ts'
import { LEDGER_COLUMNS, toLedger } from '../schema/rows.ts'
import type { Database } from '../session/database.ts'
import { jsonRows, rowsAsJson } from '../session/json-rows.ts'
import { prepare } from '../session/prepared.ts'
import type { Session } from '../session/session.ts'
import { givenTime } from '../time/given-time.ts'
import type { Start, StartOfEach } from './start-all.ts'

type Rows = { rows: string }
type Place = { place: number | string }
type LockedRow = Place & Parameters<typeof toLedger>[0] & { now: string }

const OF_MERCHANT = { merchant_id: 'longtext' } as const

/**
 * As many round trips as for one, whatever their number. Passed by are those whose merchant's lock another has or whose merchant takes
 * no payments, those whose scan code is suspended, and those whose attempt key is known.
 */
export function startOfEachInSteps(database: Database): StartOfEach {
  const { builder, dialect } = database
  const [ledgers, scanCodes, payments] = ['ledgers', 'scan_codes', 'payments'].map(name => sql.table(name))
  const ofLedger = sql`ledger.merchant_id = given.merchant_id`
  const insert = insertPayments(database)

  const lock = prepare<Rows, LockedRow>(p => ({
    compile: () =>
      sql<LockedRow>`
        select given.place, ${sql.join(columnsOf(dialect, 'ledgers', LEDGER_COLUMNS, 'ledger'))},
          ${dialect.timeOf(dialect.orNow(sql.ref('given.at')))} as now
        from ${jsonRows(p.rows, { ...OF_MERCHANT, at: 'longtext' })}
        straight_join ${ledgers} as ledger on ${ofLedger}
        where ledger.suspended_at is null
        for update skip locked`.compile(builder),
  }))
  // Whoever suspends a code, or uses a key, has the merchant's lock: what is read here stays so.
  const findSuspended = prepare<Rows, Place>(p => ({
    compile: () =>
      sql<Place>`
        select given.place from ${jsonRows(p.rows, { code: 'longtext' })}
        straight_join ${scanCodes} as scan_code on scan_code.code = given.code
        where scan_code.suspended_at is not null`.compile(builder),
  }))
  const findKnown = prepare<Rows, Place>(p => ({
    compile: () =>
      sql<Place>`
        select given.place from ${jsonRows(p.rows, { ...OF_MERCHANT, attempt_key: 'longtext' })}
        straight_join ${payments} as payment
          on payment.merchant_id = given.merchant_id and payment.attempt_key = given.attempt_key`.compile(
        builder,
      ),
  }))
  const advance = prepare((p: Rows) => ({
    compile: () =>
      sql`update ${jsonRows(p.rows, { ...OF_MERCHANT, id: 'longtext', date: 'longtext' })}
        straight_join ${ledgers} as ledger on ${ofLedger}
        set ledger.last_payment_id = given.id, ledger.last_date = given.date`.compile(builder),
  }))

  /** Those of the starts whose places the query finds. */
  const foundBy = async (
    session: Session,
    query: typeof findKnown,
    starts: Start[],
    row: (start: Start) => object,
  ) => {
    const rows = await session.all(query({ rows: rowsAsJson(starts.map(row)) }))
    return new Set(rows.map(({ place }) => starts[Number(place) - 1]))
  }

  return async (session, starts) => {
    const given = starts.map(({ payment, now }) => ({
      merchant_id: payment.merchantId,
      at: givenTime(dialect, now),
    }))
    const locked = await session.all(lock({ rows: rowsAsJson(given) }))
    const free = locked.map(row => starts[Number(row.place) - 1] as Start)
    const keyed = free.filter(({ payment }) => payment.attemptKey !== null)
    const suspended =
      free.length > 0
        ? await foundBy(session, findSuspended, free, ({ payment }) => ({ code: payment.scanCode }))
        : new Set()
    const known =
      keyed.length > 0
        ? await foundBy(session, findKnown, keyed, ({ payment }) => ({
            merchant_id: payment.merchantId,
            attempt_key: payment.attemptKey,
          }))
        : new Set()

    const started = locked.flatMap(row => {
      const place = Number(row.place) - 1
      const start = starts[place] as Start
      if (suspended.has(start) || known.has(start)) return []
      const { lastPaymentId, lastDate } = toLedger(row)
      const date = later(secondOf(start.now ?? instantOf(row.now)), lastDate)
      return { place, id: lastPaymentId + 1, date, payment: start.payment }
    })
    if (started.length === 0) return []
    await insert(session, started)
    const numbers = started.map(({ payment, id, date }) => ({
      ...{ merchant_id: payment.merchantId, id },
      date: dialect.time(date),
    }))
    await session.change(advance({ rows: rowsAsJson(numbers) }))
    return started
  }
}
