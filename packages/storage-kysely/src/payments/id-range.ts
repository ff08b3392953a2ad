import type { PaymentFilter } from '@tillkit/domain'
import { BEFORE_ALL } from '../schema/tables.ts'
import type { Database } from '../session/database.ts'
import { prepareEach } from '../session/prepared.ts'

/** A run of ids, both ends included; empty where `last` is below `first`. */
export interface IdRange {
  first: number
  last: number
}

/**
 * The ids of the payments between two dates: ids and dates have one order and ids have no gap, so that any span of time
 * is a run of ids, found by a seek for each end, and its length is a subtraction.
 */
export function idRange({
  builder,
  read,
  dialect,
}: Database): (merchantId: string, filter: PaymentFilter) => Promise<IdRange> {
  const findEnds = prepareEach(
    ({ since, before }: { since: boolean; before: boolean }) =>
      (p: { merchantId: string; startDate: string; endDate: string }) =>
        builder
          .selectFrom('ledgers')
          .select('last_payment_id')
          .$if(since, query =>
            query.select(eb =>
              eb
                .selectFrom('payments')
                .select('id')
                .where('merchant_id', '=', p.merchantId)
                .where('date', '>=', p.startDate)
                .orderBy('date')
                .orderBy('id')
                .limit(1)
                .as('first'),
            ),
          )
          .$if(before, query =>
            query.select(eb =>
              eb
                .selectFrom('payments')
                .select('id')
                .where('merchant_id', '=', p.merchantId)
                .where('date', '>=', p.endDate)
                .orderBy('date')
                .orderBy('id')
                .limit(1)
                .as('beyond'),
            ),
          )
          .where('merchant_id', '=', p.merchantId),
  )

  return async (merchantId, { startDate, endDate }) => {
    const shape = { since: startDate !== undefined, before: endDate !== undefined }
    const ends = await read.first(
      findEnds(
        `${shape.since} ${shape.before}`,
        shape,
      )({
        merchantId,
        startDate: dialect.time(startDate ?? BEFORE_ALL),
        endDate: dialect.time(endDate ?? BEFORE_ALL),
      }),
    )
    if (!ends) return { first: 1, last: 0 }
    const afterAll = Number(ends.last_payment_id) + 1
    return {
      first: shape.since ? Number(ends.first ?? afterAll) : 1,
      last: (shape.before ? Number(ends.beyond ?? afterAll) : afterAll) - 1,
    }
  }
}
