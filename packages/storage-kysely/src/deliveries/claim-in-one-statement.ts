import type { Instant } from '@tillkit/domain'
import type { DeliveryStore } from '@tillkit/storage'
import { sql } from 'kysely'
import { columnsOf } from '../schema/columns.ts'
import { PAYMENT_COLUMNS, toPayment } from '../schema/rows.ts'
import type { Database } from '../session/database.ts'
import { prepare } from '../session/prepared.ts'

/** What is due is locked, leased and read with its payment and merchant in one round trip; others' locks are passed by. */
export function claimInOneStatement({ builder, write, dialect }: Database): DeliveryStore['claim'] {
  const claim = prepare((p: { now: Instant; leaseUntil: Instant; limit: number }) =>
    builder
      .with('due', db =>
        db
          .selectFrom('deliveries')
          .select(['merchant_id', 'payment_id', 'next_attempt_at'])
          .where('state', '=', 'pending')
          .where('next_attempt_at', '<=', p.now)
          .orderBy('next_attempt_at')
          .limit(p.limit)
          .forUpdate()
          .skipLocked(),
      )
      .with('leased', db =>
        db
          .updateTable('deliveries')
          .from('due')
          .set({ next_attempt_at: p.leaseUntil, fence: sql<number>`${sql.ref('deliveries.fence')} + 1` })
          .whereRef('deliveries.merchant_id', '=', 'due.merchant_id')
          .whereRef('deliveries.payment_id', '=', 'due.payment_id')
          .returning([
            'deliveries.merchant_id as merchant_id',
            'deliveries.payment_id as payment_id',
            'deliveries.attempts as attempts',
            'deliveries.fence as fence',
            'due.next_attempt_at as due_at',
          ]),
      )
      .selectFrom('leased')
      .innerJoin('payments', join =>
        join
          .onRef('payments.merchant_id', '=', 'leased.merchant_id')
          .onRef('payments.id', '=', 'leased.payment_id'),
      )
      .innerJoin('merchants', 'merchants.id', 'leased.merchant_id')
      .select(columnsOf(dialect, 'payments', PAYMENT_COLUMNS))
      .select(['leased.attempts', 'leased.fence', 'merchants.webhook_url', 'merchants.webhook_key'])
      .orderBy('leased.due_at'),
  )

  return async ({ now, leaseUntil, limit }) => {
    const query = claim({ now: dialect.time(now), leaseUntil: dialect.time(leaseUntil), limit })
    const rows = await write(session => session.all(query), { statement: true, repeatable: true })
    return rows.map(row => {
      const payment = toPayment(row)
      return {
        merchantId: payment.merchantId,
        paymentId: payment.id,
        attempts: Number(row.attempts),
        fence: Number(row.fence),
        payment,
        webhookUrl: row.webhook_url,
        webhookKey: row.webhook_key,
      }
    })
  }
}
