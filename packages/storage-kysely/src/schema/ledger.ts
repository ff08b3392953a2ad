import type { Selectable } from 'kysely'
import type { Database } from '../session/database.ts'
import { prepare } from '../session/prepared.ts'
import type { Session } from '../session/session.ts'
import type { LedgersTable } from './tables.ts'

/**
 * Takes the merchant's lock and reads where its ids, dates and periods stand; undefined for an unknown merchant. It is an
 * update so that the lock is held before anything is read, even in a transaction that began without one.
 */
export function ledgerLock({
  builder,
}: Database): (session: Session, merchantId: string) => Promise<Selectable<LedgersTable> | undefined> {
  const lock = prepare((p: { merchantId: string }) =>
    builder
      .updateTable('ledgers')
      .set(eb => ({ last_payment_id: eb.ref('last_payment_id') }))
      .where('merchant_id', '=', p.merchantId)
      .returningAll(),
  )
  return (session, merchantId) => session.first(lock({ merchantId }))
}
