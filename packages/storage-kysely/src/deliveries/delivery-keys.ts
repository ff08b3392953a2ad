import type { DeliveryKey } from '@tillkit/domain'
import type { ExpressionBuilder, ExpressionWrapper, SqlBool } from 'kysely'
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

/** Whether a row is of one of the deliveries, and under its lease where `keys` are leases. */
export function isOneOf<Table extends KeyedTable>(
  eb: ExpressionBuilder<Tables, Table>,
  keys: readonly (DeliveryKey & { fence?: number })[],
): ExpressionWrapper<Tables, Table, SqlBool> {
  const any = eb as unknown as ExpressionBuilder<Tables, 'deliveries'>
  const named = any.or(
    keys.map(({ merchantId, paymentId, fence }) =>
      any.and({
        merchant_id: merchantId,
        payment_id: paymentId,
        ...(fence === undefined ? {} : { fence }),
      }),
    ),
  )
  return named as unknown as ExpressionWrapper<Tables, Table, SqlBool>
}
