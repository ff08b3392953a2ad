import type { PaymentKey } from '@tillkit/domain'
import { sql } from 'kysely'
import { columnsOf } from '../../schema/columns.ts'
import { FUNCTIONS } from '../../schema/names.ts'
import { BESIDE_PAYMENT, PAYMENT_COLUMNS, type PaymentRow } from '../../schema/rows/payment-row.ts'
import type { Database } from '../../session/database.ts'
import type { Session } from '../../session/session.ts'
import { prepareArrays } from '../../session/statements/prepared.ts'

type Row = [...PaymentRow, merchantId: string]

/** Payments by their keys, of merchants that are at one node, in one round trip; null for those that there are none of. */
export function findPaymentsAtNode({
  builder,
  dialect,
}: Database): (session: Session, keys: PaymentKey[]) => Promise<(PaymentRow | null)[]> {
  const columns = (alias: string) => sql.join(columnsOf(dialect, 'payments', PAYMENT_COLUMNS, alias))
  // Looked up by key for each: of `id = any (…)` a planner that knows nothing of a shard yet makes a walk through all of a merchant's.
  const ofMerchant = prepareArrays<{ merchantId: string; id: number[] }, Row>(p => ({
    compile: () =>
      sql`select payment.* from unnest(${p.id}::bigint[]) as given (id), lateral (
          select ${columns('payment')}, payment.merchant_id from ${sql.table('payments')} as payment
          where payment.merchant_id = ${p.merchantId} and payment.id = given.id offset 0
        ) as payment`.compile(builder),
  }))
  const ofSeveral = prepareArrays<{ first: string; merchantId: string[]; id: number[] }, Row>(p => ({
    compile: () =>
      sql`select ${columns('found')}, found.merchant_id
        from ${sql.table(FUNCTIONS.find)}(${p.first}, ${p.merchantId}::text[], ${p.id}::bigint[]) as found`.compile(
        builder,
      ),
  }))
  return async (session, keys) => {
    const merchantId = keys.map(key => key.merchantId)
    const id = keys.map(key => key.id)
    const [first = ''] = merchantId
    const query = merchantId.every(one => one === first)
      ? ofMerchant({ merchantId: first, id })
      : ofSeveral({ first, merchantId, id })
    const found = new Map<string, PaymentRow>()
    for (const row of await session.all(query))
      found.set(`${Number(row[0])} ${row[BESIDE_PAYMENT]}`, row as unknown as PaymentRow)
    return keys.map(key => found.get(`${key.id} ${key.merchantId}`) ?? null)
  }
}
