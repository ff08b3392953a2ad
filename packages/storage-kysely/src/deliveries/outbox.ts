import type { DeliveryKey, Instant } from '@tillkit/domain'
import type { DeliveriesTable } from '../schema/tables.ts'
import type { Database } from '../session/database.ts'
import { prepare } from '../session/prepared.ts'
import type { Session } from '../session/session.ts'
import { givenTime } from '../time/given-time.ts'

interface Parameters extends DeliveryKey {
  now: string | null
  traceparent: string | null
}

/** What is written of a new delivery where nobody traces. */
export const NEW_DELIVERY = [
  'merchant_id',
  'payment_id',
  'state',
  'attempts',
  'fence',
  'next_attempt_at',
  'created_at',
] as const satisfies (keyof DeliveriesTable)[]

/**
 * Writes the delivery of an outcome, due at once, within the outcome's own transaction; none where the merchant has no
 * webhook URL.
 */
export function outbox({
  builder,
  dialect,
}: Database): (
  session: Session,
  key: DeliveryKey,
  now: Instant | null,
  traceparent: string | null | undefined,
) => Promise<unknown> {
  const insert = (traced: boolean) =>
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
              row.lit(0).as('fence'),
              dialect.orNow(p.now).as('next_attempt_at'),
              dialect.orNow(p.now).as('created_at'),
            ])
            .$if(traced, query => query.select(row => row.val(p.traceparent).as('traceparent')))
            .where('id', '=', p.merchantId)
            .where('webhook_url', 'is not', null),
        ),
    )
  const [plain, traced] = [insert(false), insert(true)]
  return (session, { merchantId, paymentId }, now, traceparent = null) => {
    const parameters = { merchantId, paymentId, now: givenTime(dialect, now), traceparent }
    return session.change(traceparent === null ? plain(parameters) : traced(parameters))
  }
}
