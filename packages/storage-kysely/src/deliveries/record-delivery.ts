import type { DeliveryResult, DeliveryStore } from '@tillkit/storage'
import { sql } from 'kysely'
import type { Database } from '../session/database.ts'
import { prepare } from '../session/prepared.ts'

export function recordDelivery({ builder, write, dialect }: Database): DeliveryStore['record'] {
  const record = prepare((p: DeliveryResult) =>
    builder
      .updateTable('deliveries')
      .set({
        state: p.state,
        attempts: sql<number>`attempts + 1`,
        next_attempt_at: p.nextAttemptAt,
        last_attempt_at: p.lastAttemptAt,
        last_status: p.lastStatus,
        last_error: p.lastError,
      })
      .where('merchant_id', '=', p.merchantId)
      .where('payment_id', '=', p.paymentId)
      .where('fence', '=', p.fence)
      .where('state', '=', 'pending'),
  )
  return result => {
    const { nextAttemptAt, lastAttemptAt } = result
    const query = record({
      ...result,
      nextAttemptAt: nextAttemptAt === null ? null : dialect.time(nextAttemptAt),
      lastAttemptAt: dialect.time(lastAttemptAt),
    })
    return write(async session => (await session.change(query)) > 0, { statement: true, repeatable: true })
  }
}
