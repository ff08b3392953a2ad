import type { DeliveryStore } from '@tillkit/storage'
import { columnsOf } from '../schema/columns.ts'
import { toDelivery } from '../schema/rows/readable-delivery.ts'
import { DELIVERY_COLUMNS } from '../schema/rows/rows.ts'
import type { Database } from '../session/database.ts'

export function getDelivery({ builder, read, dialect }: Database): DeliveryStore['get'] {
  const columns = columnsOf(dialect, 'deliveries', DELIVERY_COLUMNS)
  return async ({ merchantId, paymentId }) => {
    const query = builder
      .selectFrom('deliveries')
      .select(columns)
      .where('merchant_id', '=', merchantId)
      .where('payment_id', '=', paymentId)
      .compile()
    const row = await read.first(query)
    return row === undefined ? null : toDelivery(row)
  }
}
