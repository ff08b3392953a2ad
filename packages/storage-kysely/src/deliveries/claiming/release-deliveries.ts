import type { DeliveryStore } from '@tillkit/storage'
import { sql } from 'kysely'
import type { Database } from '../../session/database.ts'
import { chunksOf, isOneOf } from '../delivery-keys.ts'
import { isPending } from '../is-pending.ts'

export function releaseDeliveries({ builder, write, dialect }: Database): DeliveryStore['release'] {
  return async (leases, at) => {
    for (const some of chunksOf(leases)) {
      const release = builder
        .updateTable('deliveries')
        .set({ next_attempt_at: dialect.time(at), fence: sql<number>`fence + 1` })
        .where(isPending())
        .where(eb => isOneOf(eb, some, dialect))
        .compile()
      await write(session => session.change(release), { statement: true, repeatable: true })
    }
  }
}
