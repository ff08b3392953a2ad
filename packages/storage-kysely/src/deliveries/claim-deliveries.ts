import type { Instant } from '@tillkit/domain'
import type { ClaimedDelivery, DeliveryStore } from '@tillkit/storage'
import { PAYMENT_COLUMNS, toPayment } from '../schema/rows.ts'
import type { Database } from '../session/database.ts'
import { prepare } from '../session/prepared.ts'

export function claimDeliveries({ builder, read, write }: Database): DeliveryStore['claim'] {
  const findDue = prepare((p: { now: Instant; limit: number }) =>
    builder
      .selectFrom('deliveries')
      .select(['merchant_id as merchantId', 'payment_id as paymentId'])
      .where('state', '=', 'pending')
      .where('next_attempt_at', '<=', p.now)
      .orderBy('next_attempt_at')
      .limit(p.limit),
  )
  const lease = prepare((p: { merchantId: string; paymentId: number; leaseUntil: Instant }) =>
    builder
      .updateTable('deliveries')
      .set(eb => ({ next_attempt_at: p.leaseUntil, fence: eb('fence', '+', 1) }))
      .where('merchant_id', '=', p.merchantId)
      .where('payment_id', '=', p.paymentId)
      .returning(['attempts', 'fence']),
  )
  const findTarget = prepare((p: { merchantId: string; paymentId: number }) =>
    builder
      .selectFrom('payments')
      .innerJoin('merchants', 'merchants.id', 'payments.merchant_id')
      .select(PAYMENT_COLUMNS.map(column => `payments.${column}` as const))
      .select(['merchants.webhook_url', 'merchants.webhook_key'])
      .where('payments.merchant_id', '=', p.merchantId)
      .where('payments.id', '=', p.paymentId),
  )

  return async ({ now, leaseUntil, limit }) => {
    // A look before the lock: most polls find nothing, and must not hold up those who write.
    if (!(await read.first(findDue({ now, limit: 1 })))) return []
    return write(async session => {
      const claimed: ClaimedDelivery[] = []
      for (const key of await session.all(findDue({ now, limit }))) {
        const held = await session.first(lease({ ...key, leaseUntil }))
        const target = await session.first(findTarget(key))
        if (!held || !target) continue
        const { webhook_url: webhookUrl, webhook_key: webhookKey, ...row } = target
        claimed.push({ ...key, ...held, payment: toPayment(row), webhookUrl, webhookKey })
      }
      return claimed
    })
  }
}
