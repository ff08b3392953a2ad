import { sql } from 'kysely'
import type { Database } from '../session/database.ts'
import type { Session } from '../session/session.ts'
import { prepare } from '../session/statements/prepared.ts'

/**
 * Puts an endpoint in order, within a transaction, and makes due what rested. The two take turns with a claim that puts
 * more to rest: it holds the endpoint's row, and what it did is seen by the second statement.
 */
export function wakeEndpoint({
  builder,
}: Database): (session: Session, merchantId: string, now: string) => Promise<void> {
  const endFailing = prepare((p: { merchantId: string }) =>
    builder.deleteFrom('failing_endpoints').where('merchant_id', '=', p.merchantId),
  )
  const endRest = prepare((p: { merchantId: string; now: string }) =>
    builder
      .updateTable('deliveries')
      .set({ next_attempt_at: p.now })
      .where('merchant_id', '=', p.merchantId)
      // Written out, so that the index of what rests may be used.
      .where('state', '=', sql.lit('pending'))
      .where('next_attempt_at', 'is', null),
  )
  return async (session, merchantId, now) => {
    await session.change(endFailing({ merchantId }))
    await session.change(endRest({ merchantId, now }))
  }
}
