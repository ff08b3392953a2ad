import type { DeliveryResult, DeliveryStore } from '@tillkit/storage'
import type { Database } from '../session/database.ts'
import { prepare } from '../session/prepared.ts'

export function recordDelivery({ builder, write }: Database): DeliveryStore['record'] {
  const record = prepare((p: DeliveryResult) =>
    builder
      .updateTable('deliveries')
      .set(eb => ({
        state: p.state,
        attempts: eb('attempts', '+', 1),
        next_attempt_at: p.nextAttemptAt,
        last_attempt_at: p.lastAttemptAt,
        last_status: p.lastStatus,
        last_error: p.lastError,
      }))
      .where('merchant_id', '=', p.merchantId)
      .where('payment_id', '=', p.paymentId)
      .where('fence', '=', p.fence)
      .where('state', '=', 'pending'),
  )
  return result => write(async session => (await session.change(record(result))) > 0)
}
