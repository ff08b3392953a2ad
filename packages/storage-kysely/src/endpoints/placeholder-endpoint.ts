import type { Database } from '../session/database.ts'
import type { Session } from '../session/session.ts'
import { prepare } from '../session/statements/prepared.ts'

/** When a row that stands for none says that its endpoint began to fail. */
const NEVER = '1970-01-02 00:00:00.000'

/**
 * In a host's transaction on MariaDB and MySQL: a row of an endpoint that fails, made where there is none, so that what follows changes a row.
 * At REPEATABLE READ, their default, a change that finds none would lock all that lies around it, where other merchants' rows go. Says
 * whether it made one, which the transaction is to take away again; undefined elsewhere, where nothing is needed.
 */
export function placeholderEndpoint({
  builder,
  dialect,
  ofHost,
}: Database): ((session: Session, merchantId: string) => Promise<boolean>) | undefined {
  if (!ofHost || dialect.name !== 'mysql') return undefined
  const make = prepare((p: { merchantId: string }) =>
    builder
      .insertInto('failing_endpoints')
      .ignore()
      .values({ merchant_id: p.merchantId, failing_since: NEVER, paused_at: null }),
  )
  return async (session, merchantId) => (await session.change(make({ merchantId }))) > 0
}
