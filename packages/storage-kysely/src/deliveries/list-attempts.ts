import type { DeliveryStore } from '@tillkit/storage'
import { columnsOf } from '../schema/columns.ts'
import { toAttempt } from '../schema/readable-delivery.ts'
import { ATTEMPT_COLUMNS } from '../schema/rows.ts'
import type { Database } from '../session/database.ts'
import { isOneOf } from './delivery-keys.ts'

export function listAttempts({ builder, read, dialect }: Database): DeliveryStore['attempts'] {
  const columns = columnsOf(dialect, 'delivery_attempts', ATTEMPT_COLUMNS)
  return async (merchantId, paymentIds) => {
    if (paymentIds.length === 0) return []
    const query = builder
      .selectFrom('delivery_attempts')
      .select(columns)
      .where(eb =>
        dialect.name === 'postgres'
          ? isOneOf(
              eb,
              paymentIds.map(paymentId => ({ merchantId, paymentId })),
              dialect,
            )
          : eb.and([eb('merchant_id', '=', merchantId), eb('payment_id', 'in', paymentIds)]),
      )
      .orderBy('payment_id')
      .orderBy('number')
      .compile()
    return (await read.all(query)).map(toAttempt)
  }
}
