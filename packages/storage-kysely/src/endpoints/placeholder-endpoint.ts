import type { Database } from '../session/database.ts'
import type { Session } from '../session/session.ts'
import { prepare } from '../session/statements/prepared.ts'

/** When a row that stands for none says that its endpoint began to fail. */
const NEVER = '1970-01-02 00:00:00.000'

/** A row that is there, of an endpoint that fails or of one that does not. */
export interface PlaceholderEndpoint {
  /** Makes one where there is none; the endpoint of one that is there may be tried again. */
  make(session: Session, merchantId: string): Promise<unknown>
  /** Takes away what was made. */
  remove(session: Session, merchantId: string): Promise<unknown>
}

/**
 * In a host's transaction on MariaDB and MySQL: what follows changes a row, whether the endpoint fails or not. At REPEATABLE READ, their
 * default, a change that finds none would lock all that lies around it, where other merchants' rows go. It is one statement, which
 * takes the lock that it needs: two that first look whether it is there would be in each other's way. Undefined elsewhere.
 */
export function placeholderEndpoint({ builder, dialect, ofHost }: Database): PlaceholderEndpoint | undefined {
  if (!ofHost || dialect.name !== 'mysql') return undefined
  const make = prepare((p: { merchantId: string }) =>
    builder
      .insertInto('failing_endpoints')
      .values({ merchant_id: p.merchantId, failing_since: NEVER, paused_at: null })
      .onDuplicateKeyUpdate({ paused_at: null }),
  )
  const remove = prepare((p: { merchantId: string }) =>
    builder
      .deleteFrom('failing_endpoints')
      .where('merchant_id', '=', p.merchantId)
      .where('failing_since', '=', NEVER),
  )
  return {
    make: (session, merchantId) => session.change(make({ merchantId })),
    remove: (session, merchantId) => session.change(remove({ merchantId })),
  }
}
