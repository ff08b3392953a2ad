import type { DeliveryKey, Instant } from '@tillkit/domain'
import type { DeliveryStore } from '@tillkit/storage'
import { sql } from 'kysely'
import { columnsOf } from '../schema/columns.ts'
import { DELIVERY_COLUMNS, toDelivery } from '../schema/rows.ts'
import type { Database } from '../session/database.ts'
import { prepare } from '../session/prepared.ts'

export function requeueDelivery({ builder, write, dialect }: Database): DeliveryStore['requeue'] {
  const requeue = prepare((p: DeliveryKey & { now: Instant }) => {
    const afresh = {
      state: 'pending' as const,
      attempts: 0,
      fence: sql<number>`${sql.ref('deliveries.fence')} + 1`,
      next_attempt_at: p.now,
    }
    const insert = builder.insertInto('deliveries').values({
      merchant_id: p.merchantId,
      payment_id: p.paymentId,
      state: 'pending',
      attempts: 0,
      fence: 0,
      next_attempt_at: p.now,
      created_at: p.now,
    })
    return dialect.name === 'mysql'
      ? insert.onDuplicateKeyUpdate(afresh)
      : insert.onConflict(conflict => conflict.columns(['merchant_id', 'payment_id']).doUpdateSet(afresh))
  })
  const find = prepare((p: DeliveryKey) =>
    builder
      .selectFrom('deliveries')
      .select(columnsOf(dialect, 'deliveries', DELIVERY_COLUMNS))
      .where('merchant_id', '=', p.merchantId)
      .where('payment_id', '=', p.paymentId),
  )

  return ({ merchantId, paymentId }, now) =>
    write(
      async session => {
        await session.change(requeue({ merchantId, paymentId, now: dialect.time(now) }))
        const row = await session.first(find({ merchantId, paymentId }))
        if (!row) throw new Error(`delivery of payment ${paymentId} was not written`)
        return toDelivery(row)
      },
      { repeatable: true },
    )
}
