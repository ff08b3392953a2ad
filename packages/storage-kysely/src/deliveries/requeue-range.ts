import type { DeliveryState } from '@tillkit/domain'
import type { DeliveryStore } from '@tillkit/storage'
import { type SqlBool, sql } from 'kysely'
import { unpauseEndpoint } from '../endpoints/unpause-endpoint.ts'
import { idBlock } from '../schema/id-block.ts'
import { unforeseen } from '../schema/unforeseen.ts'
import type { Database } from '../session/database.ts'
import { prepareEach } from '../session/prepared.ts'

interface Parameters {
  merchantId: string
  firstId: number
  lastId: number
  since: string
  state: DeliveryState
  now: string
}

export function requeueRange(database: Database): DeliveryStore['requeueRange'] {
  const { builder, write, dialect } = database
  const unpause = unpauseEndpoint(database)
  const requeueForm = prepareEach(
    (byState: boolean) => (p: Parameters) =>
      builder
        .updateTable('deliveries')
        .set({ state: 'pending', attempts: 0, fence: sql<number>`fence + 1`, next_attempt_at: p.now })
        .where('merchant_id', '=', p.merchantId)
        .where('payment_id', '>=', unforeseen(dialect, p.firstId))
        .where('payment_id', '<=', unforeseen(dialect, p.lastId))
        .where('created_at', '>=', p.since)
        .$if(byState, query => query.where('state', '=', p.state))
        // In the words of the index of states too, so that it is looked at no further than the ids go.
        .$if(byState && dialect.name === 'postgres', query =>
          query.where(
            sql<SqlBool>`${idBlock(sql.ref('payment_id'))} between ${idBlock(unforeseen(dialect, p.firstId))} and ${idBlock(unforeseen(dialect, p.lastId))}`,
          ),
        ),
  )

  return (merchantId, { firstId, lastId, since, state }, now) => {
    const byState = state !== undefined
    const requeue = requeueForm(
      byState ? 'of one state' : 'of any',
      byState,
    )({
      ...{ merchantId, firstId, lastId, state: state ?? 'pending' },
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
