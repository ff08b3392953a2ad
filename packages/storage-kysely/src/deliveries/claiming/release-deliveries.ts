import type { DeliveryStore, Lease } from '@tillkit/storage'
import { sql } from 'kysely'
import type { Database } from '../../session/database.ts'
import type { Session } from '../../session/session.ts'
import { BATCH_LOCK_WAIT } from '../../session/transactions/in-batches.ts'
import { chunksOf, isOneOf } from '../delivery-keys.ts'
import { isPending } from '../is-pending.ts'
import { unlessLocked } from './unless-locked.ts'

/** What another has locked is passed by: whoever has it, to send it again say, takes it out of its lease, or that ends by itself. */
export function releaseDeliveries({ builder, write, dialect }: Database): DeliveryStore['release'] {
  const release = (session: Session, leases: Lease[], at: string) =>
    session.change(
      builder
        .updateTable('deliveries')
        .set({ next_attempt_at: at, fence: sql<number>`fence + 1` })
        .where(isPending())
        .where(eb => isOneOf(eb, leases, dialect))
        .compile(),
    )
  const releaseFree = async (session: Session, leases: Lease[], at: string) => {
    const lock = builder
      .selectFrom('deliveries')
      .select(['merchant_id', 'payment_id'])
      .where(eb => isOneOf(eb, leases, dialect))
      .forUpdate()
      .skipLocked()
    const free = new Set(
      (await session.all(lock.compile())).map(row => `${row.merchant_id} ${row.payment_id}`),
    )
    const those = leases.filter(({ merchantId, paymentId }) => free.has(`${merchantId} ${paymentId}`))
    if (those.length > 0) await release(session, those, at)
  }
  // MariaDB and MySQL cannot be told how long to wait.
  const waits = dialect.name !== 'mysql'
  const brief = { statement: true, repeatable: true, lockWait: BATCH_LOCK_WAIT }

  return async (leases, given) => {
    const at = dialect.time(given)
    for (const some of chunksOf(leases)) {
      const passing = () => write(session => releaseFree(session, some, at), { repeatable: true })
      const whole = () => write(session => release(session, some, at), brief)
      await (waits ? unlessLocked(dialect, whole, passing) : passing())
    }
  }
}
