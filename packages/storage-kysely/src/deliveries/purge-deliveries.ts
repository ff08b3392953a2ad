import type { DeliveryStore } from '@tillkit/storage'
import { walk } from '../schema/walk.ts'
import type { Database } from '../session/database.ts'
import { prepare } from '../session/prepared.ts'
import { chunksOf, isOneOf } from './delivery-keys.ts'

export function purgeDeliveries({ builder, write, dialect }: Database): DeliveryStore['purge'] {
  const delivered = walk(dialect, 'delivered')
  const findOld = prepare((p: { before: string; limit: number }) => {
    const query = builder
      .selectFrom('deliveries')
      .select(['merchant_id', 'payment_id'])
      .where(delivered.upTo(p.before, '<'))
      .orderBy(delivered.time)
      .limit(p.limit)
    return dialect.oneWriter ? query : query.forUpdate()
  })

  return (before, limit) =>
    write(async session => {
      const old = await session.all(findOld({ before: dialect.time(before), limit }))
      const keys = old.map(row => ({ merchantId: row.merchant_id, paymentId: Number(row.payment_id) }))
      for (const some of chunksOf(keys)) {
        for (const table of ['delivery_attempts', 'deliveries'] as const) {
          const remove = builder.deleteFrom(table).where(eb => isOneOf(eb, some, dialect))
          await session.change(remove.compile())
        }
      }
      return keys.length
    })
}
