import type { DeliveryKey } from '@tillkit/domain'
import { type Expression, type ExpressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Dialect } from '../dialects/dialect.ts'
import { hardlyAny } from '../schema/planner/unforeseen.ts'
import type { Tables } from '../schema/tables.ts'

/** How many deliveries one statement names: an engine that nests conditions takes no more than so many. */
const CHUNK = 100

/** The keys in parts that a statement can name. */
export function chunksOf<Key>(keys: readonly Key[]): Key[][] {
  const chunks: Key[][] = []
  for (let start = 0; start < keys.length; start += CHUNK) chunks.push(keys.slice(start, start + CHUNK))
  return chunks
}

/** The key of a delivery, without the fencing number of a lease. */
export function keyOf({ merchantId, paymentId }: DeliveryKey): DeliveryKey {
  return { merchantId, paymentId }
}

type KeyedTable = 'deliveries' | 'delivery_attempts'

/**
 * Whether a row is of one of the deliveries, and under its lease where `keys` are leases. On PostgreSQL they are columns of
 * arrays: conditions with the merchant in common would be taken apart, and then any index of the merchant's looks as good.
 */
export function isOneOf<Table extends KeyedTable>(
  eb: ExpressionBuilder<Tables, Table>,
  keys: readonly (DeliveryKey & { fence?: number })[],
  dialect: Dialect,
): Expression<SqlBool> {
  if (dialect.name === 'postgres') return isInColumns(dialect, keys)
  const any = eb as unknown as ExpressionBuilder<Tables, 'deliveries'>
  return any.or(
    keys.map(({ merchantId, paymentId, fence }) =>
      any.and({
        merchant_id: merchantId,
        payment_id: paymentId,
        ...(fence === undefined ? {} : { fence }),
      }),
    ),
  )
}

/** The same on PostgreSQL, for any table with such keys. */
export function isInColumns(
  dialect: Dialect,
  keys: readonly (DeliveryKey & { fence?: number })[],
): RawBuilder<SqlBool> {
  const key = sql`${keys.map(({ merchantId }) => merchantId)}::text[], ${keys.map(({ paymentId }) => paymentId)}::bigint[]`
  const named = hardlyAny(dialect, sql.ref('named.id'))
  return keys[0]?.fence === undefined
    ? sql`(merchant_id, payment_id) in (select * from unnest(${key}) as named (merchant, id) where ${named})`
    : sql`(merchant_id, payment_id, fence) in (
        select * from unnest(${key}, ${keys.map(({ fence }) => fence)}::bigint[]) as named (merchant, id, fence) where ${named})`
}
