import type { DeliveryStore } from '@tillkit/storage'
import { sql } from 'kysely'
import { walk } from '../../schema/planner/walk.ts'
import type { Database } from '../../session/database.ts'
import { prepare } from '../../session/statements/prepared.ts'
import { byMerchant, forEachMerchant } from '../by-merchant.ts'

interface Parameters {
  merchantId: string
  ids: number[]
  before: string
}

/** What is old is read at all nodes without a lock; what still is, and nobody holds, goes merchant by merchant. */
export function purgeByMerchant(database: Database): DeliveryStore['purge'] {
  const { builder, read, dialect } = database
  const delivered = walk(dialect, 'delivered')
  const findOld = prepare((p: { before: string; limit: number; past: number }) =>
    builder
      .selectFrom('deliveries')
      .select(['merchant_id', 'payment_id'])
      .where(delivered.upTo(p.before, '<'))
      .orderBy(delivered.time)
      .limit(p.limit)
      .offset(p.past),
  )
  const lockOld = prepare((p: Parameters) =>
    builder
      .selectFrom('deliveries')
      .select('payment_id')
      .where('merchant_id', '=', p.merchantId)
      .where('payment_id', '=', sql<number>`any(${p.ids}::bigint[])`)
      .where(delivered.upTo(p.before, '<'))
      .forUpdate()
      .skipLocked(),
  )
  const remove = (table: 'delivery_attempts' | 'deliveries') =>
    prepare((p: Omit<Parameters, 'before'>) =>
      builder
        .deleteFrom(table)
        .where('merchant_id', '=', p.merchantId)
        .where('payment_id', '=', sql<number>`any(${p.ids}::bigint[])`),
    )
  const [removeAttempts, removeDeliveries] = [remove('delivery_attempts'), remove('deliveries')]

  const purgeSome = async (before: string, limit: number, past: number) => {
    const old = await read.all(findOld({ before, limit, past }))
    const keys = old.map(row => ({ merchantId: row.merchant_id, paymentId: Number(row.payment_id) }))
    let purged = 0
    await forEachMerchant(byMerchant(keys), async (merchantId, those) => {
      const { write } = database.at?.(merchantId) ?? database
      const count = await write(
        async session => {
          const found = { merchantId, ids: those.map(({ paymentId }) => paymentId) }
          const locked = await session.all(lockOld({ ...found, before }))
          const ids = locked.map(row => Number(row.payment_id))
          if (ids.length === 0) return 0
          await session.change(removeAttempts({ merchantId, ids }))
          return session.change(removeDeliveries({ merchantId, ids }))
        },
        { merchantId, locks: 'rows' },
      )
      purged += count
    })
    return { purged, isLast: old.length < limit }
  }

  return async (given, limit) => {
    const before = dialect.time(given)
    // Where all that it read is held by others, there may be more behind it.
    for (let past = 0; ; past += limit) {
      const { purged, isLast } = await purgeSome(before, limit, past)
      if (purged > 0 || isLast) return purged
    }
  }
}
