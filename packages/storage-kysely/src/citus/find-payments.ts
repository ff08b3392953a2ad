import type { PaymentKey } from '@tillkit/domain'
import { sql } from 'kysely'
import { columnsOf } from '../schema/columns.ts'
import { PAYMENT_COLUMNS, type PaymentRow } from '../schema/payment-row.ts'
import type { Database } from '../session/database.ts'
import { prepareArrays } from '../session/prepared.ts'
import type { Session } from '../session/session.ts'

interface Given {
  merchantId: string
  id: number[]
}

/** Payments of one merchant by their ids, in one statement of one form, at its node; null for those that there are none of. */
export function findPaymentsOfMerchant({
  builder,
  dialect,
}: Database): (session: Session, keys: PaymentKey[]) => Promise<(PaymentRow | null)[]> {
  const find = prepareArrays<Given, PaymentRow>(p => ({
    compile: () =>
      sql`select ${sql.join(columnsOf(dialect, 'payments', PAYMENT_COLUMNS))} from ${sql.table('payments')}
        where merchant_id = ${p.merchantId} and id = any (${p.id}::bigint[])`.compile(builder),
  }))
  return async (session, keys) => {
    const merchantId = keys[0]?.merchantId ?? ''
    const rows = await session.all(find({ merchantId, id: keys.map(({ id }) => id) }))
    const found = new Map(rows.map(row => [Number(row[0]), row]))
    return keys.map(({ id }) => found.get(id) ?? null)
  }
}
