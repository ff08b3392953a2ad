import { sql } from 'kysely'
import { isInColumns } from '../deliveries/delivery-keys.ts'
import { alongStates } from '../schema/planner/along.ts'
import type { Database } from '../session/database.ts'
import type { Session } from '../session/session.ts'
import { prepare } from '../session/statements/prepared.ts'

/** How many are made due at once: all of a rest of millions would take longer than a write may. */
export const MOST_AT_ONCE = 5000

/** How many by results that were a success: while they are written, everybody else's wait. */
const MOST_AFTER_A_SUCCESS = 500

/** How many of each, where one transaction of results wakes so many endpoints. */
export const eachOf = (endpoints: number) => Math.ceil(MOST_AFTER_A_SUCCESS / endpoints)

interface Parameters {
  merchantId: string
  now: string
  limit: number
}

/**
 * Makes due what rests of a merchant, or so many of it. True where there may be more: its endpoint is to be failing still, so that the
 * next success goes on.
 */
export function endRest(
  database: Database,
): (session: Session, merchantId: string, now: string, limit?: number) => Promise<boolean> {
  const end = endSome(database)
  return async (session, merchantId, now, limit = MOST_AT_ONCE) =>
    (await end(session, { merchantId, now, limit })) >= limit
}

/** Says how many it made due. */
function endSome({
  builder,
  dialect,
  ofHost,
}: Database): (session: Session, parameters: Parameters) => Promise<number> {
  const resting = (p: Pick<Parameters, 'merchantId' | 'limit'>) =>
    builder
      .selectFrom('deliveries')
      .select('payment_id')
      .where('merchant_id', '=', p.merchantId)
      // Written out, so that the index of what rests may be used.
      .where('state', '=', sql.lit('pending'))
      .where('next_attempt_at', 'is', null)
      .limit(p.limit)
  if (dialect.name === 'mysql') {
    const end = prepare((p: Parameters) =>
      builder
        .updateTable(alongStates({ ofHost }))
        .set({ next_attempt_at: p.now })
        .where('merchant_id', '=', p.merchantId)
        .where('state', '=', sql.lit('pending'))
        .where('next_attempt_at', 'is', null)
        .limit(sql<number>`${p.limit}`),
    )
    return (session, parameters) => session.change(end(parameters))
  }
  if (dialect.oneWriter) {
    const end = prepare((p: Parameters) =>
      builder
        .updateTable('deliveries')
        .set({ next_attempt_at: p.now })
        .where('merchant_id', '=', p.merchantId)
        .where('payment_id', 'in', resting(p)),
    )
    return (session, parameters) => session.change(end(parameters))
  }
  // What is locked is counted: what another changed before that would be one less, as if no more rested.
  const lock = prepare((p: Pick<Parameters, 'merchantId' | 'limit'>) => resting(p).forUpdate())
  const end = ({ merchantId, now }: Parameters, ids: number[]) => {
    const due = builder.updateTable('deliveries').set({ next_attempt_at: now })
    // Citus finds the node by the merchant, and plans for these ids.
    const ended = dialect.distributed
      ? due.where('merchant_id', '=', merchantId).where('payment_id', '=', sql<number>`any(${ids}::bigint[])`)
      : due.where(
          isInColumns(
            dialect,
            ids.map(paymentId => ({ merchantId, paymentId })),
          ),
        )
    return ended.compile()
  }
  return async (session, parameters) => {
    const ids = (await session.all(lock(parameters))).map(row => Number(row.payment_id))
    if (ids.length > 0) await session.change(end(parameters, ids))
    return ids.length
  }
}
