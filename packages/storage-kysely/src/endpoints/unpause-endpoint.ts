import type { Database } from '../session/database.ts'
import type { Session } from '../session/session.ts'
import { prepare } from '../session/statements/prepared.ts'

/** Lets a paused endpoint be tried again, though it is still failing: what rests goes on resting. */
export function unpauseEndpoint({
  builder,
  ofHost,
}: Database): (session: Session, merchantId: string) => Promise<unknown> {
  const unpause = prepare((p: { merchantId: string }) =>
    builder
      .updateTable('failing_endpoints')
      .set({ paused_at: null })
      .where('merchant_id', '=', p.merchantId)
      // Paused or not in a host's transaction: its snapshot may be older than the pause, and is refused by what it did not see.
      .$if(!ofHost, query => query.where('paused_at', 'is not', null)),
  )
  return (session, merchantId) => session.change(unpause({ merchantId }))
}
