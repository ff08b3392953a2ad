import { later, secondOf } from '@tillkit/domain'
import { insertPayments } from '../payments/starting/insert-payments.ts'
import { columnsOf } from '../schema/columns.ts'
import { instantOf } from '../schema/dates.ts'
import { LEDGER_COLUMNS, toLedger } from '../schema/rows/rows.ts'
import type { Database } from '../session/database.ts'
import { prepare } from '../session/statements/prepared.ts'
import { writeEach } from '../session/transactions/write-each.ts'
import { givenTime } from '../time/given-time.ts'
import { findRefused } from './find-refused.ts'
import type { StartAll } from './start-all.ts'

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
  const refusedOf = findRefused(database)
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
    const refused = await refusedOf(session, payments)
    const date = later(secondOf(given ?? instantOf(row.now)), lastDate)
    const started = [...payments.entries()]
      .filter(([, payment]) => !refused.has(payment))
      .map(([place, payment], n) => ({ place, id: lastPaymentId + n + 1, date, payment }))
    if (started.length === 0) return []
    await insert(session, started)
    await writeEach(
      session,
      advance({ merchantId, id: lastPaymentId + started.length, date: dialect.time(date) }),
    )
    return started
  }
}
