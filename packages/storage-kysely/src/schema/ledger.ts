import { sql } from 'kysely'
import type { Database } from '../session/database.ts'
import { prepare } from '../session/prepared.ts'
import type { Session } from '../session/session.ts'
import { columnsOf } from './columns.ts'
import { LEDGER_COLUMNS, type Ledger, toLedger } from './rows.ts'

/** Takes the merchant's lock and reads where its ids, dates and periods stand; null for an unknown merchant. */
export function ledgerLock({
  builder,
  dialect,
}: Database): (session: Session, merchantId: string) => Promise<Ledger | null> {
  const columns = columnsOf(dialect, 'ledgers', LEDGER_COLUMNS)
  const lockRow = prepare((p: { merchantId: string }) =>
    builder.selectFrom('ledgers').select(columns).where('merchant_id', '=', p.merchantId).forUpdate(),
  )
  // With one writer at a time, only writing takes the lock in a transaction that began without it.
  const lockAll = prepare((p: { merchantId: string }) =>
    builder
      .updateTable('ledgers')
      .set({ last_payment_id: sql<number>`last_payment_id` })
      .where('merchant_id', '=', p.merchantId)
      .returning(columns),
  )
  const lock = dialect.oneWriter ? lockAll : lockRow
  return async (session, merchantId) => {
    const row = await session.first(lock({ merchantId }))
    return row ? toLedger(row) : null
  }
}
