import type { DeliveryKey } from '@tillkit/domain'
import type { DeliveryStore } from '@tillkit/storage'
import { sql } from 'kysely'
import { unpauseEndpoint } from '../endpoints/unpause-endpoint.ts'
import { columnsOf } from '../schema/columns.ts'
import { toDelivery } from '../schema/rows/readable-delivery.ts'
import { DELIVERY_COLUMNS } from '../schema/rows/rows.ts'
import type { Database } from '../session/database.ts'
import { prepare } from '../session/statements/prepared.ts'
import { firstFence } from './first-fence.ts'

export function requeueDelivery(database: Database): DeliveryStore['requeue'] {
  const { builder, write, dialect } = database
  const unpause = unpauseEndpoint(database)
  const requeue = prepare((p: DeliveryKey & { now: string; fence: number }) => {
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
      fence: p.fence,
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

  return ({ merchantId, paymentId }, now) => {
    return write(
      async session => {
        await unpause(session, merchantId)
        await session.change(requeue({ merchantId, paymentId, now: dialect.time(now), fence: firstFence() }))
        const row = await session.first(find({ merchantId, paymentId }))
        if (!row) throw new Error(`delivery of payment ${paymentId} was not written`)
        return toDelivery(row)
      },
      { repeatable: true, merchantId },
    )
  }
}
