import type { DeliveryState } from '@tillkit/domain'
import type { DeliveryStore } from '@tillkit/storage'
import { sql } from 'kysely'
import { unpauseEndpoint } from '../endpoints/unpause-endpoint.ts'
import { unforeseen } from '../schema/planner/unforeseen.ts'
import type { Database } from '../session/database.ts'
import { prepareEach } from '../session/statements/prepared.ts'
import { isIn } from './is-in.ts'

interface Parameters {
  merchantId: string
  firstId: number
  lastId: number
  since: string
  now: string
}

export function requeueRange(database: Database): DeliveryStore['requeueRange'] {
  const { builder, write, dialect } = database
  const unpause = unpauseEndpoint(database)
  const requeueForm = prepareEach((state: DeliveryState | undefined) => (p: Parameters) => {
    const query = builder
      .updateTable('deliveries')
      .set({ state: 'pending', attempts: 0, fence: sql<number>`fence + 1`, next_attempt_at: p.now })
      .where('merchant_id', '=', p.merchantId)
      .where('payment_id', '>=', unforeseen(dialect, p.firstId))
      .where('payment_id', '<=', unforeseen(dialect, p.lastId))
      .where('created_at', '>=', p.since)
    return state === undefined ? query : query.where(isIn(dialect, state))
  })

  return (merchantId, { firstId, lastId, since, state }, now) => {
    const requeue = requeueForm(
      state ?? 'any',
      state,
    )({
      ...{ merchantId, firstId, lastId },
      since: dialect.time(since),
      now: dialect.time(now),
    })
    return write(
      async session => {
        const count = await session.change(requeue)
        if (count > 0) await unpause(session, merchantId)
        return count
      },
      { merchantId },
    )
  }
}
