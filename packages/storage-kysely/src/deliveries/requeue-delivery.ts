import type { DeliveryKey, Instant } from '@tillkit/domain'
import type { DeliveryStore } from '@tillkit/storage'
import { DELIVERY_COLUMNS, toDelivery } from '../schema/rows.ts'
import type { Database } from '../session/database.ts'
import { prepare } from '../session/prepared.ts'

export function requeueDelivery({ builder, write }: Database): DeliveryStore['requeue'] {
  const requeue = prepare((p: DeliveryKey & { now: Instant }) =>
    builder
      .insertInto('deliveries')
      .values({
        merchant_id: p.merchantId,
        payment_id: p.paymentId,
        state: 'pending',
        attempts: 0,
        fence: 0,
        next_attempt_at: p.now,
        created_at: p.now,
      })
      .onConflict(conflict =>
        conflict.columns(['merchant_id', 'payment_id']).doUpdateSet(eb => ({
          state: 'pending',
          attempts: 0,
          fence: eb('deliveries.fence', '+', 1),
          next_attempt_at: p.now,
        })),
      )
      .returning(DELIVERY_COLUMNS),
  )
  return async ({ merchantId, paymentId }, now) => {
    const row = await write(session => session.first(requeue({ merchantId, paymentId, now })))
    if (!row) throw new Error(`delivery of payment ${paymentId} was not written`)
    return toDelivery(row)
  }
}
