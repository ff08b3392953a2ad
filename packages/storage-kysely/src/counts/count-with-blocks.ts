import type { PaymentStatus } from '@tillkit/domain'
import { type QueryCreator, sql } from 'kysely'
import { countOf } from '../payments/listing/counting.ts'
import type { Ends, Values } from '../payments/listing/passing.ts'
import type { Tables } from '../schema/tables.ts'
import type { Database } from '../session/database.ts'
import { countListed } from './listed-payments.ts'
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
  const count = (ends: Ends) =>
    countOf(dialect, () => plain.selectFrom('payments'), { status: [...statuses] }, p, ends)
  const named = (which: 'newest' | 'oldest') =>
    countListed(database, p.merchantId, sql.ref<string>(`${which}.unresolved`), statuses)
  /** All up to the end of a block: what it says, and what became since of the payments that it names. */
  const known = (which: 'newest' | 'oldest') =>
    statuses.includes('error')
      ? sql<number>`(coalesce(${sql.ref(`${which}.errors`)}, 0) + ${named(which)})`
      : named(which)
  const endOf = (which: 'newest' | 'oldest') =>
    sql<number>`coalesce(${sql.ref(`${which}.up_to`)}, ${first} - 1)`

  const counted = [known('newest'), count({ first: sql<number>`${endOf('newest')} + 1`, last })]
  if (since) counted.push(count({ first, last: endOf('oldest') }))
  const sum = sql.join(counted, sql` + `)
  return creator
    .selectFrom('ends')
    .leftJoinLateral(nearest('newest').as('newest'), join => join.onTrue())
    .$if(since, query => query.leftJoinLateral(nearest('oldest').as('oldest'), join => join.onTrue()))
    .select(sql<number>`${sum} - ${since ? known('oldest') : sql`0`}`.as('total'))
    .select('newest.up_to as counted_to')
}
