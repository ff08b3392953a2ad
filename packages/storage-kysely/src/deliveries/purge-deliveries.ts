import type { DeliveryStore } from '@tillkit/storage'
import { sql } from 'kysely'
import { instantOf, isDate, type ReadDate } from '../schema/dates.ts'
import { walk } from '../schema/planner/walk.ts'
import type { Database } from '../session/database.ts'
import { prepareEach } from '../session/statements/prepared.ts'
import { chunksOf, isOneOf } from './delivery-keys.ts'

/**
 * What was purged stays in the index until the engine has cleaned up, which an old snapshot may keep it from. So the next
 * step goes on where the last one of this process ended, and begins anew when nothing is left: what was delivered late, or
 * has come back, is found by the next purge. So is what another holds, to send it again say: it keeps nothing else waiting.
 */
export function purgeDeliveries({ builder, write, dialect }: Database): DeliveryStore['purge'] {
  const delivered = walk(dialect, 'delivered')
  const findOld = prepareEach((goesOn: boolean) => (p: { from: string; before: string; limit: number }) => {
    const query = builder
      .selectFrom('deliveries')
      .select(['merchant_id', 'payment_id', dialect.timeOf(sql.ref('last_attempt_at')).as('at')])
      .where(delivered.upTo(p.before, '<'))
      .$if(goesOn, query => query.where(delivered.from(p.from)))
      .orderBy(delivered.time)
      .limit(p.limit)
    return dialect.oneWriter ? query : query.forUpdate().skipLocked()
  })
  let reached: string | undefined

  const purgeFrom = (from: string | undefined, before: string, limit: number) =>
    write(async session => {
      const query = findOld(`${from !== undefined}`, from !== undefined)
      const found = await session.all(query({ from: from ?? '', before, limit }))
      const keys = found.map(row => ({ merchantId: row.merchant_id, paymentId: Number(row.payment_id) }))
      let purged = 0
      for (const some of chunksOf(keys)) {
        for (const table of ['delivery_attempts', 'deliveries'] as const) {
          const remove = builder.deleteFrom(table).where(eb => isOneOf(eb, some, dialect))
          const removed = await session.change(remove.compile())
          if (table === 'deliveries') purged += removed
        }
      }
      return { found, purged }
    })

  return async (given, limit) => {
    const before = dialect.time(given)
    while (true) {
      const from = reached
      const { found, purged } = await purgeFrom(from, before, limit)
      const last: ReadDate | null | undefined = found.length < limit ? null : found.at(-1)?.at
      reached = isDate(last) ? dialect.time(instantOf(last)) : undefined
      // Where a trigger of the host's keeps all that was found, there may be more behind it.
      if (purged > 0 || reached === undefined) return purged
      if (reached === from) {
        reached = undefined
        return 0
      }
    }
  }
}
