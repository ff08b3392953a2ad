import { type SqlBool, sql } from 'kysely'
import type { Database } from '../session/database.ts'
import { prepareChange } from '../session/statements/prepared.ts'
import { failedOf, lastOfSettled, type Run } from './settled-run.ts'

/** A period that ends with a cash up. */
export type Period = Run & { reference: string }

/** How long it waits for the row, in milliseconds: others do no more with it than to keep the same. */
const LOCK_WAIT = 100

/**
 * Keeps how many payments of a closed period completed, unless one is pending: from then on nothing in the period can change.
 *
 * It is counted by the statement that keeps it. What another server has said may not be known to the one that writes, as where a
 * standby has taken over without the last outcome, which is yet to come there. It is a transaction at READ COMMITTED, so that no
 * outcome is counted that is then rolled back.
 */
export function keepTotal(database: Database): (period: Period) => Promise<void> {
  const { builder, write } = database
  const keep = prepareChange((p: Period) =>
    builder
      .updateTable('cash_ups')
      .set({
        completed_total: sql<number>`${sql.ref('last_payment_id')} - ${sql.ref('first_payment_id')} + 1 - (${failedOf(database, p)})`,
      })
      .where('merchant_id', '=', p.merchantId)
      .where('reference', '=', p.reference)
      .where('completed_total', 'is', null)
      // By `exists` PostgreSQL would read a table that it takes for small from its start.
      .where(sql<SqlBool>`(${lastOfSettled(database, p).select('id')}) is not null`),
  )
  return async period => {
    await write(session => session.change(keep(period)), { repeatable: true, lockWait: LOCK_WAIT })
  }
}
