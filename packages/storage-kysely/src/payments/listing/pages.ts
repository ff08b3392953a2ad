import type { Slice } from '@tillkit/domain'
import type { ExpressionBuilder, QueryCreator, Selectable, SelectQueryBuilder } from 'kysely'
import type { Dialect } from '../../dialects/dialect.ts'
import { BLOCK, blocksOf, idBlock } from '../../schema/id-block.ts'
import { along, inOrder, notForOrder } from '../../schema/planner/along.ts'
import type { PaymentsTable, Tables } from '../../schema/tables.ts'
import { type Ends, isByExact, type PaymentQuery, passing, type Search, type Values } from './passing.ts'

/** A slice, and how many lie before its end. */
export type PageParameters = Values & Slice & { end: number }

export function endOf({ skip, limit }: Slice): number {
  return Math.min(skip + limit, Number.MAX_SAFE_INTEGER)
}

type Creator = Pick<QueryCreator<Tables>, 'selectFrom'> | Pick<ExpressionBuilder<Tables, never>, 'selectFrom'>

/**
 * The payments from which a page is taken, whole rows. Of those pending and those failed, which no index has in one order,
 * as many of each as the page may need: asked for both at once, a planner walks all the others. Of an exact filter, where its index
 * holds blocks of ids, the blocks that hold as many: in no other order does it give them without a sort of all.
 */
export function pageSource(
  dialect: Dialect,
  creator: Creator,
  filter: Search,
  p: PageParameters,
  ends: Ends | null,
): SelectQueryBuilder<Tables, 'payments', Selectable<PaymentsTable>> {
  const exact = isByExact(filter)
  const all = creator as QueryCreator<Tables>
  const payments = ({ status = [] }: Search) => {
    const ofFew = status.length === 1 && status[0] !== 'completed'
    if (dialect.name !== 'mysql' || !(exact || ofFew)) return inOrder(all, dialect)
    return all.selectFrom(exact ? notForOrder() : along('statuses'))
  }
  const whole = (one: Search) =>
    passing(dialect, payments(one) as PaymentQuery, one, p, ends).selectAll('payments')
  const { status = [] } = filter
  const [first, second] = status
  if (exact && dialect.name === 'postgres') {
    const inBlocks = whole(filter).select(idBlock().as(BLOCK)).orderBy(idBlock(), 'desc')
    return inBlocks.modifyEnd(blocksOf(p.end)) as ReturnType<typeof whole>
  }
  if (exact || status.length !== 2 || status.includes('completed') || !first || !second) {
    return whole(filter)
  }
  const newest = (one: 'pending' | 'error' | 'completed') =>
    all
      .selectFrom(
        whole({ ...filter, status: [one] })
          .orderBy('payments.id', 'desc')
          .limit(p.end)
          .as('newest'),
      )
      .selectAll()
  return newest(first).unionAll(newest(second)) as unknown as ReturnType<typeof whole>
}
