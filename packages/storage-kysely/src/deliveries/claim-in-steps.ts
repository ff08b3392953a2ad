import type { DeliveryKey, Instant } from '@tillkit/domain'
import type { ClaimedDelivery, DeliveryStore } from '@tillkit/storage'
import { sql } from 'kysely'
import { columnsOf } from '../schema/columns.ts'
import { PAYMENT_COLUMNS, toPayment } from '../schema/rows.ts'
import type { Database } from '../session/database.ts'
import { prepare } from '../session/prepared.ts'

/** How many deliveries one statement leases: an engine that nests conditions takes no more than so many. */
const CHUNK = 100

export function claimInSteps({ builder, read, write, dialect }: Database): DeliveryStore['claim'] {
  const findDue = prepare((p: { now: Instant; limit: number }) => {
    const due = builder
      .selectFrom('deliveries')
      .select(['merchant_id', 'payment_id', 'attempts', 'fence'])
      .where('state', '=', 'pending')
      .where('next_attempt_at', '<=', p.now)
      .orderBy('next_attempt_at')
      .limit(p.limit)
    return dialect.oneWriter ? due : due.forUpdate().skipLocked()
  })
  const findAny = prepare((p: { now: Instant }) =>
    builder
      .selectFrom('deliveries')
      .select('payment_id')
      .where('state', '=', 'pending')
      .where('next_attempt_at', '<=', p.now)
      .limit(1),
  )
  const lease = (keys: DeliveryKey[], leaseUntil: Instant) =>
    builder
      .updateTable('deliveries')
      .set({ next_attempt_at: leaseUntil, fence: sql<number>`fence + 1` })
      .where(eb => eb.or(keys.map(key => eb.and({ merchant_id: key.merchantId, payment_id: key.paymentId }))))
      .compile()
  const findTargets = (keys: DeliveryKey[]) =>
    builder
      .selectFrom('payments')
      .innerJoin('merchants', 'merchants.id', 'payments.merchant_id')
      .select(columnsOf(dialect, 'payments', PAYMENT_COLUMNS))
      .select(['merchants.webhook_url', 'merchants.webhook_key'])
      .where(eb =>
        eb.or(
          keys.map(key =>
            eb.and([eb('payments.merchant_id', '=', key.merchantId), eb('payments.id', '=', key.paymentId)]),
          ),
        ),
      )
      .compile()

  return async request => {
    const now = dialect.time(request.now)
    const leaseUntil = dialect.time(request.leaseUntil)
    // A look before the lock: most polls find nothing, and must not hold up those who write.
    if (!(await read.first(findAny({ now })))) return []
    return write(
      async session => {
        const claimed: ClaimedDelivery[] = []
        const due = await session.all(findDue({ now, limit: request.limit }))
        for (let start = 0; start < due.length; start += CHUNK) {
          const held = due.slice(start, start + CHUNK).map(row => ({
            merchantId: row.merchant_id,
            paymentId: Number(row.payment_id),
            attempts: Number(row.attempts),
            fence: Number(row.fence) + 1,
          }))
          await session.change(lease(held, leaseUntil))
          const targets = new Map(
            (await session.all(findTargets(held))).map(row => [`${row.merchant_id} ${row.id}`, row]),
          )
          for (const delivery of held) {
            const target = targets.get(`${delivery.merchantId} ${delivery.paymentId}`)
            if (!target) continue
            const { webhook_url: webhookUrl, webhook_key: webhookKey, ...row } = target
            claimed.push({ ...delivery, payment: toPayment(row), webhookUrl, webhookKey })
          }
        }
        return claimed
      },
      { repeatable: true },
    )
  }
}
