import { later, type NewPayment, secondOf } from '@tillkit/domain'
import { insertPayments } from '../payments/insert-payments.ts'
import { columnsOf } from '../schema/columns.ts'
import { instantOf } from '../schema/dates.ts'
import { LEDGER_COLUMNS, toLedger } from '../schema/rows.ts'
import type { Database } from '../session/database.ts'
import { paddedList } from '../session/padded-list.ts'
import { prepare, prepareEach } from '../session/prepared.ts'
import { givenTime } from '../time/given-time.ts'
import type { StartAll } from './start-all.ts'

type Listed = Record<`one${number}`, string> & { merchantId: string }

/** As many round trips as for one, whatever their number: the lock, what is refused, and the rows at once. */
export function startAllInSteps(database: Database): StartAll {
  const { builder, dialect } = database
  const lock = prepare((p: { merchantId: string; now: string | null }) =>
    builder
      .selectFrom('ledgers')
      .select(columnsOf(dialect, 'ledgers', LEDGER_COLUMNS))
      .select(dialect.timeOf(dialect.orNow(p.now)).as('now'))
      .where('merchant_id', '=', p.merchantId)
      .where('suspended_at', 'is', null)
      .forUpdate(),
  )
  // Whoever suspends a code, or uses a key, has the merchant's lock: what is read here stays so.
  const findSuspended = prepareEach(
    (width: number) => (p: Listed) =>
      builder
        .selectFrom('scan_codes')
        .select('code as one')
        .where('code', 'in', listed(width, p))
        .where('suspended_at', 'is not', null),
  )
  const findKnown = prepareEach(
    (width: number) => (p: Listed) =>
      builder
        .selectFrom('payments')
        .select('attempt_key as one')
        .where('merchant_id', '=', p.merchantId)
        .where('attempt_key', 'in', listed(width, p)),
  )
  const insert = insertPayments(database)
  const advance = prepare((p: { merchantId: string; id: number; date: string }) =>
    builder
      .updateTable('ledgers')
      .set({ last_payment_id: p.id, last_date: p.date })
      .where('merchant_id', '=', p.merchantId),
  )

  return async (session, merchantId, payments, given) => {
    const row = await session.first(lock({ merchantId, now: givenTime(dialect, given) }))
    if (!row) return []
    const { lastPaymentId, lastDate } = toLedger(row)
    const found = async (form: typeof findSuspended, values: string[]) => {
      if (values.length === 0) return new Set()
      const { width, parameters } = paddedList('one', values)
      const rows = await session.all(form(`${width}`, width)({ ...parameters, merchantId }))
      return new Set(rows.map(({ one }) => one))
    }
    const suspended = await found(findSuspended, [...new Set(payments.map(({ scanCode }) => scanCode))])
    const known = await found(
      findKnown,
      payments.flatMap(({ attemptKey }) => (attemptKey === null ? [] : [attemptKey])),
    )

    const date = later(secondOf(given ?? instantOf(row.now)), lastDate)
    const fit = payments.flatMap(({ scanCode, attemptKey }, place) =>
      suspended.has(scanCode) || known.has(attemptKey) ? [] : [place],
    )
    if (fit.length === 0) return []
    const started = fit.map((place, n) => ({ place, id: lastPaymentId + n + 1, date }))
    await insert(
      session,
      started.map(({ place, ...given }) => ({ payment: payments[place] as NewPayment, ...given })),
    )
    await session.change(advance({ merchantId, id: lastPaymentId + fit.length, date: dialect.time(date) }))
    return started
  }
}

const listed = (width: number, p: Listed) => Array.from({ length: width }, (_, n) => p[`one${n}`] ?? '')
