import type { PaymentKey } from '@tillkit/domain'
import { sql } from 'kysely'
import { columnsOf } from '../schema/columns.ts'
import { BESIDE_PAYMENT, PAYMENT_COLUMNS, type PaymentRow, type Whole } from '../schema/payment-row.ts'
import type { Database } from '../session/database.ts'
import { prepareArrays } from '../session/prepared.ts'
import type { Session } from '../session/session.ts'

interface Columns {
  merchantId: string[]
  id: number[]
}

/** Payments by their keys, whosever they are, in one statement of one form; null for those that there are none of. */
export function findPayments({
  builder,
  dialect,
}: Database): (session: Session, keys: PaymentKey[]) => Promise<(PaymentRow | null)[]> {
  const columns = columnsOf(dialect, 'payments', PAYMENT_COLUMNS, 'payment')
  // Looked up by key for each: no planner takes that for a join, and reads a table whole.
  const find = prepareArrays<Columns, [...PaymentRow, place: Whole]>(p => ({
    compile: () =>
      sql`select payment.*, given.place
        from unnest(${p.merchantId}::text[], ${p.id}::bigint[]) with ordinality as given (merchant_id, id, place),
        lateral (
          select ${sql.join(columns)} from ${sql.table('payments')} as payment
          where payment.merchant_id = given.merchant_id and payment.id = given.id offset 0
        ) as payment`.compile(builder),
  }))
  return async (session, keys) => {
    const found: (PaymentRow | null)[] = keys.map(() => null)
    const rows = await session.all(
      find({ merchantId: keys.map(({ merchantId }) => merchantId), id: keys.map(({ id }) => id) }),
    )
    for (const row of rows) found[Number(row[BESIDE_PAYMENT]) - 1] = row as unknown as PaymentRow
    return found
  }
}
