import type { DeliveryKey, Instant } from '@tillkit/domain'
import { sql } from 'kysely'
import { webhookKeyColumns } from '../../endpoints/webhook-keys.ts'
import { columnsOf } from '../../schema/columns.ts'
import type { DeliveriesTable } from '../../schema/tables.ts'
import type { Database } from '../../session/database.ts'
import type { Session } from '../../session/session.ts'
import { prepare } from '../../session/statements/prepared.ts'
import { givenTime } from '../../time/given-time.ts'
import { firstFence } from '../first-fence.ts'
import type { HandedEndpoint } from './handed-over.ts'

interface Parameters extends DeliveryKey {
  now: string | null
  traceparent: string | null
  leaseUntil: string | null
  fence: number
}

/** What is written of a new delivery where nobody traces. */
const NEW_DELIVERY = [
  'merchant_id',
  'payment_id',
  'state',
  'attempts',
  'fence',
  'next_attempt_at',
  'created_at',
] as const satisfies (keyof DeliveriesTable)[]

/** How the delivery of an outcome is written. */
interface NewDelivery {
  now: Instant | null
  traceparent: string | null | undefined
  /** Until when it is the caller's own; null or undefined where it is due at once. */
  leaseUntil?: Instant | null | undefined
}

/**
 * Writes the delivery of an outcome within the outcome's own transaction; none where the merchant has no webhook URL.
 * Returns the endpoint, and the lease's fence, where it is leased to the caller, which it is not while the endpoint is paused.
 */
export function outbox(
  database: Database,
): (session: Session, key: DeliveryKey, delivery: NewDelivery) => Promise<HandedEndpoint | undefined> {
  const { builder, dialect, ofHost } = database
  // As the insert does by itself at REPEATABLE READ: at READ UNCOMMITTED it would go by an address that another may undo.
  const locks = ofHost && dialect.name === 'mysql'
  const findEndpoint = prepare((p: { merchantId: string }) =>
    builder
      .selectFrom('merchants')
      .leftJoin('failing_endpoints', 'failing_endpoints.merchant_id', 'merchants.id')
      .select('merchants.webhook_url')
      .select(webhookKeyColumns(database))
      .select(columnsOf(dialect, 'failing_endpoints', ['failing_since']))
      .select('failing_endpoints.paused_at')
      .where('merchants.id', '=', p.merchantId),
  )
  const insert = (traced: boolean, leased: boolean) =>
    prepare((p: Parameters) =>
      builder
        .insertInto('deliveries')
        .columns(traced ? [...NEW_DELIVERY, 'traceparent'] : [...NEW_DELIVERY])
        .expression(eb =>
          eb
            .selectFrom('merchants')
            .select(row => [
              'id',
              row.val(p.paymentId).as('payment_id'),
              row.val('pending').as('state'),
              row.lit(0).as('attempts'),
              row.val(p.fence).as('fence'),
              (leased ? sql<string>`${p.leaseUntil}` : dialect.orNow(p.now)).as('next_attempt_at'),
              dialect.orNow(p.now).as('created_at'),
            ])
            .$if(traced, query => query.select(row => row.val(p.traceparent).as('traceparent')))
            .where('id', '=', p.merchantId)
            .where('webhook_url', 'is not', null)
            .$if(locks, query => query.modifyEnd(sql`lock in share mode`)),
        ),
    )
  const due = { plain: insert(false, false), traced: insert(true, false) }
  const leased = { plain: insert(false, true), traced: insert(true, true) }

  return async (session, { merchantId, paymentId }, { now, traceparent = null, leaseUntil = null }) => {
    const endpoint = leaseUntil === null ? undefined : await session.first(findEndpoint({ merchantId }))
    const isLeased = leaseUntil !== null && endpoint !== undefined && endpoint.paused_at === null
    const forms = isLeased ? leased : due
    const fence = firstFence()
    const query = (traceparent === null ? forms.plain : forms.traced)({
      ...{ merchantId, paymentId, now: givenTime(dialect, now), traceparent },
      leaseUntil: leaseUntil && dialect.time(leaseUntil),
      fence,
    })
    const isWritten = (await session.change(query)) > 0
    return isLeased && isWritten ? { ...endpoint, lease_fence: fence } : undefined
  }
}
