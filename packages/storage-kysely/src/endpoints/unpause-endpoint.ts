import type { Database } from '../session/database.ts'
import type { Session } from '../session/session.ts'
import { prepare } from '../session/statements/prepared.ts'
import { placeholderEndpoint } from './placeholder-endpoint.ts'

/** Lets a paused endpoint be tried again, though it is still failing: what rests goes on resting. */
export function unpauseEndpoint(
  database: Database,
): (session: Session, merchantId: string) => Promise<unknown> {
  const { builder, ofHost } = database
  const placeholder = placeholderEndpoint(database)
  const unpause = prepare((p: { merchantId: string }) =>
    builder
      .updateTable('failing_endpoints')
      .set({ paused_at: null })
      .where('merchant_id', '=', p.merchantId)
      // Paused or not in a host's transaction: its snapshot may be older than the pause, and is refused by what it did not see.
      .$if(!ofHost, query => query.where('paused_at', 'is not', null)),
  )
  return async (session, merchantId) => {
    if (!placeholder) return session.change(unpause({ merchantId }))
    await placeholder.make(session, merchantId)
    return placeholder.remove(session, merchantId)
  }
}
