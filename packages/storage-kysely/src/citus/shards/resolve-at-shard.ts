import { sql } from 'kysely'
import type { EndedRow } from '../../deliveries/outbox/handed-over.ts'
import { outboxInOneStatement } from '../../deliveries/outbox/outbox-in-one-statement.ts'
import type { Dialect } from '../../dialects/dialect.ts'
import type { Ending } from '../../group-commit/resolve-all.ts'
import { hasOneOf } from '../../payments/has-one-of.ts'
import { columnsOf } from '../../schema/columns.ts'
import { PAYMENT_COLUMNS } from '../../schema/rows/payment-row.ts'
import type { Database } from '../../session/database.ts'
import { type Prepared, prepareArrays } from '../../session/statements/prepared.ts'
import { givenTime } from '../../time/given-time.ts'
import { heldHere } from './held-here.ts'

/** The payment, and whose it is. */
export type EndedOfMerchantRow = [...EndedRow, merchantId: string]

interface ResolveAtShard {
  merchantId: string
  id: number
  status: string
  failure: string | null
  now: string | null
  traceparent: string | null
}

/** What such a statement takes of an outcome. */
export function resolvedAtShard(
  { key, outcome, now, traceparent = null }: Ending,
  dialect: Dialect,
): ResolveAtShard {
  return {
    ...key,
    status: outcome.status,
    failure: outcome.status === 'error' ? outcome.failure : null,
    now: givenTime(dialect, now),
    traceparent,
  }
}

/** Writes an outcome and its delivery at the merchant's shard, by one statement. Nothing comes back of a payment that has one, nor where the shard is not held. */
export function resolveAtShard(database: Database): Prepared<ResolveAtShard, EndedOfMerchantRow> {
  const { builder, dialect } = database
  const { parts, ended } = outboxInOneStatement(database, { traced: true, leased: false })
  return prepareArrays<ResolveAtShard, EndedOfMerchantRow>(p => ({
    compile: () =>
      sql`with changed as (
          update ${sql.table('payments')} as payment
            set status = ${p.status}, failure = ${p.failure},
              guarded_reference = case when ${p.status} = 'completed' then guarded_reference end
            where merchant_id = ${p.merchantId} and id = ${p.id} and ${hasOneOf(['pending'])} and ${heldHere}
            returning payment.*, ${dialect.orNow(p.now)} as due, ${p.traceparent}::text as trace
        ), ${parts}
        select ${sql.join(columnsOf(dialect, 'payments', PAYMENT_COLUMNS, 'changed'))}, changed.merchant_id from ${ended} as changed`.compile(
        builder,
      ),
  }))
}
