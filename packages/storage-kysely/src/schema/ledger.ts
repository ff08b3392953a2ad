import type { Instant } from '@tillkit/domain'
import { sql } from 'kysely'
import type { Database } from '../session/database.ts'
import type { Session } from '../session/session.ts'
import { prepare } from '../session/statements/prepared.ts'
import { givenTime } from '../time/given-time.ts'
import { columnsOf } from './columns.ts'
import { instantOf } from './dates.ts'
import { LEDGER_COLUMNS, type Ledger, toLedger } from './rows/rows.ts'

interface Parameters {
  merchantId: string
  now: string | null
}

/**
 * Takes the merchant's lock and reads where its ids, dates and periods stand, and the time: `now`, or, where that is null,
 * the engine's own, which is never later than when the lock was had. Null for an unknown merchant.
 */
export function ledgerLock({
  builder,
  dialect,
}: Database): (
  session: Session,
  merchantId: string,
  now: Instant | null,
) => Promise<(Ledger & { now: Instant }) | null> {
  const columns = columnsOf(dialect, 'ledgers', LEDGER_COLUMNS)
  const time = (p: Parameters) => dialect.timeOf(dialect.orNow(p.now)).as('now')
  const lockRow = prepare((p: Parameters) =>
    builder
      .selectFrom('ledgers')
      .select([...columns, time(p)])
      .where('merchant_id', '=', p.merchantId)
      .forUpdate(),
  )
  // With one writer at a time, only writing takes the lock in a transaction that began without it.
  const lockAll = prepare((p: Parameters) =>
    builder
      .updateTable('ledgers')
      .set({ last_payment_id: sql<number>`last_payment_id` })
      .where('merchant_id', '=', p.merchantId)
      .returning([...columns, time(p)]),
  )
  const lock = dialect.oneWriter ? lockAll : lockRow
  return async (session, merchantId, now) => {
    const row = await session.first(lock({ merchantId, now: givenTime(dialect, now) }))
    return row ? { ...toLedger(row), now: now ?? instantOf(row.now) } : null
  }
}
