import type { PaymentFilter } from '@tillkit/domain'
import type { IdRange } from '@tillkit/storage'
import { type Expression, type QueryCreator, sql } from 'kysely'
import { idRange, NO_IDS, rangeShape } from '../payments/listing/id-range.ts'
import type { Tables } from '../schema/tables.ts'
import type { Database } from '../session/database.ts'
import { prepare } from '../session/statements/prepared.ts'
import { type CountedBlock, NOTHING_COUNTED, toCountedBlock } from './counted-block.ts'

/** The counted blocks that end in a run of ids, or right before it: what lies between needs not be counted again. */
export interface NearestBlocks {
  /** The first one; `NOTHING_COUNTED` where the run begins with the first payment. */
  oldest: CountedBlock
  newest: CountedBlock
}

/** The last block, or the first one, that ends at one of some ids. */
export function nearestBlock(
  creator: Pick<QueryCreator<Tables>, 'selectFrom'>,
  merchantId: string,
  which: 'newest' | 'oldest',
  ends: { from: number | Expression<number>; to: number | Expression<number> } | null,
) {
  const blocks = creator
    .selectFrom('payment_blocks')
    .select(['up_to', 'errors', 'unresolved'])
    .where('merchant_id', '=', merchantId)
    .orderBy('up_to', which === 'newest' ? 'desc' : 'asc')
    .limit(sql.lit(1))
  return ends === null ? blocks : blocks.where('up_to', '>=', ends.from).where('up_to', '<=', ends.to)
}

/** The run of ids that a filter's dates are, with the nearest blocks; null where none ends in it. */
export function countedRange(
  database: Database,
): (merchantId: string, filter: PaymentFilter) => Promise<{ range: IdRange; blocks: NearestBlocks | null }> {
  const { builder, read } = database
  const findRange = idRange(database)
  // Without dates nothing is beyond the last block: both are found at once.
  const findNewest = prepare((p: { merchantId: string }) =>
    builder
      .selectFrom('ledgers')
      .leftJoin(nearestBlock(builder, p.merchantId, 'newest', null).as('newest'), join => join.onTrue())
      .select(['last_payment_id as last', 'newest.up_to', 'newest.errors', 'newest.unresolved'])
      .where('merchant_id', '=', p.merchantId),
  )
  const findNearest = prepare((p: { merchantId: string; from: number; to: number }) =>
    builder
      .selectFrom(nearestBlock(builder, p.merchantId, 'newest', p).as('newest'))
      .innerJoin(nearestBlock(builder, p.merchantId, 'oldest', p).as('oldest'), join => join.onTrue())
      .select([
        'newest.up_to',
        'newest.errors',
        'newest.unresolved',
        'oldest.up_to as oldest_up_to',
        'oldest.errors as oldest_errors',
        'oldest.unresolved as oldest_unresolved',
      ]),
  )

  return async (merchantId, filter) => {
    const { since, before } = rangeShape(filter)
    if (!since && !before) {
      const row = await read.first(findNewest({ merchantId }))
      const range = { first: 1, last: Number(row?.last ?? 0) }
      if (!row || row.up_to === null || row.errors === null || row.unresolved === null) {
        return { range, blocks: null }
      }
      const { up_to, errors, unresolved } = row
      return {
        range,
        blocks: { oldest: NOTHING_COUNTED, newest: toCountedBlock({ up_to, errors, unresolved }) },
      }
    }
    const range = (await findRange(merchantId, filter)) ?? NO_IDS
    if (range.last < range.first) return { range, blocks: null }
    const row = await read.first(findNearest({ merchantId, from: range.first - 1, to: range.last }))
    if (!row) return { range, blocks: null }
    const oldest = toCountedBlock({
      up_to: row.oldest_up_to,
      errors: row.oldest_errors,
      unresolved: row.oldest_unresolved,
    })
    return { range, blocks: { oldest: since ? oldest : NOTHING_COUNTED, newest: toCountedBlock(row) } }
  }
}
