import type { DeliveryKey, Instant } from '@tillkit/domain'
import type { Database } from '../session/database.ts'
import { prepare } from '../session/prepared.ts'
import type { Session } from '../session/session.ts'
import { givenTime } from '../time/given-time.ts'

/**
 * Writes the delivery of an outcome, due at once, within the outcome's own transaction; none where the merchant has no
 * webhook URL.
 */
export function outbox({
  builder,
  dialect,
}: Database): (session: Session, key: DeliveryKey, now: Instant | null) => Promise<unknown> {
  const insert = prepare((p: { merchantId: string; paymentId: number; now: string | null }) =>
    builder
      .insertInto('deliveries')
      .columns(['merchant_id', 'payment_id', 'state', 'attempts', 'fence', 'next_attempt_at', 'created_at'])
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
          .where('id', '=', p.merchantId)
          .where('webhook_url', 'is not', null),
      ),
  )
  return (session, { merchantId, paymentId }, now) =>
    session.change(insert({ merchantId, paymentId, now: givenTime(dialect, now) }))
}
