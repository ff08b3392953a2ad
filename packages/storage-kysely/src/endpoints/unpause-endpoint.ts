import type { Database } from '../session/database.ts'
import type { Session } from '../session/session.ts'
import { prepare } from '../session/statements/prepared.ts'
import { placeholderEndpoint } from './placeholder-endpoint.ts'

/** Lets a paused endpoint be tried again, though it is still failing: what rests goes on resting. */
export function unpauseEndpoint(
  database: Database,
): (session: Session, merchantId: string) => Promise<unknown> {
  const { builder, ofHost } = database
  const makeRow = placeholderEndpoint(database)
  const unpause = prepare((p: { merchantId: string }) =>
    builder
      .updateTable('failing_endpoints')
      .set({ paused_at: null })
      .where('merchant_id', '=', p.merchantId)
      // Paused or not in a host's transaction: its snapshot may be older than the pause, and is refused by what it did not see.
      .$if(!ofHost, query => query.where('paused_at', 'is not', null)),
  )
  const remove = prepare((p: { merchantId: string }) =>
    builder.deleteFrom('failing_endpoints').where('merchant_id', '=', p.merchantId),
  )
  return async (session, merchantId) => {
    const isMade = await makeRow?.(session, merchantId)
    return session.change(isMade ? remove({ merchantId }) : unpause({ merchantId }))
  }
}
