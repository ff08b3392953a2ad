import type { PaymentStatus } from '@tillkit/domain'
import { type QueryCreator, type RawBuilder, sql } from 'kysely'
import { countOf } from '../payments/listing/counting.ts'
import { type Ends, passing, type Values } from '../payments/listing/passing.ts'
import type { Tables } from '../schema/tables.ts'
import type { Database } from '../session/database.ts'
import { listedPayments } from './listed-payments.ts'
import { nearestBlock } from './nearest-blocks.ts'

/** What a query can take a run of ids from. */
type WithEnds = Tables & { ends: { first: number; last: number } }

const [first, last] = [sql.ref<number>('ends.first'), sql.ref<number>('ends.last')]

/**
 * What `countBetween` counts, as a part of a statement that has the run in `ends`: as `total`, and as `counted_to` where the
 * last block ends that it went by, null where there is none.
 */
export function countWithBlocks(
  database: Database,
  creator: QueryCreator<WithEnds>,
  statuses: readonly PaymentStatus[],
  p: Values,
  since: boolean,
) {
  const { dialect } = database
  const plain = creator as unknown as QueryCreator<Tables>
  const nearest = (which: 'newest' | 'oldest') =>
    nearestBlock(plain, p.merchantId, which, { from: sql<number>`${first} - 1`, to: last })
  const failed = (ends: Ends) =>
    sql<number>`(${passing(dialect, plain.selectFrom('payments'), { status: ['error'] }, p, ends).select(sql<number>`count(*)`.as('n'))})`
  const failedLater = (which: 'newest' | 'oldest') =>
    sql<number>`(select count(*) from ${listedPayments(database, p.merchantId, sql.ref<string>(`${which}.unresolved`))} as named
      where status = 'error')`
  const newestEnd = sql<number>`coalesce(${sql.ref('newest.up_to')}, ${first} - 1)`

  const others = statuses.filter(status => status !== 'error')
  const parts: RawBuilder<number>[] = [
    sql<number>`coalesce(${sql.ref('newest.errors')}, 0)`,
    failedLater('newest'),
    failed({ first: sql<number>`${newestEnd} + 1`, last }),
  ]
  if (others.length > 0) {
    parts.push(countOf(dialect, () => plain.selectFrom('payments'), { status: others }, p, { first, last }))
  }
  if (since)
    parts.push(failed({ first, last: sql<number>`coalesce(${sql.ref('oldest.up_to')}, ${first} - 1)` }))
  const sum = sql.join(parts, sql` + `)
  const before = since ? sql`coalesce(${sql.ref('oldest.errors')}, 0) - ${failedLater('oldest')}` : sql`0`
  return creator
    .selectFrom('ends')
    .leftJoinLateral(nearest('newest').as('newest'), join => join.onTrue())
    .$if(since, query => query.leftJoinLateral(nearest('oldest').as('oldest'), join => join.onTrue()))
    .select(sql<number>`${sum} - ${before}`.as('total'))
    .select('newest.up_to as counted_to')
}
