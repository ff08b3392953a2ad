import type { PaymentFilter } from '@tillkit/domain'
import { type Expression, type QueryCreator, sql } from 'kysely'
import {
  type IdRange,
  type RangeParameters,
  type RangeShape,
  rangeEnds,
  rangeParameters,
  rangeShape,
} from '../payments/id-range.ts'
import type { Tables } from '../schema/tables.ts'
import type { Database } from '../session/database.ts'
import { prepareEach } from '../session/prepared.ts'
import { type CountedBlock, NOTHING_COUNTED, toCountedBlock } from './counted-block.ts'

/** The counted blocks that end in a run of ids: what lies between the two needs not be counted again. */
export interface NearestBlocks {
  /** The first one; `NOTHING_COUNTED` where the run begins with the first payment. */
  oldest: CountedBlock
  newest: CountedBlock
}

/** The blocks that end in a run of ids, or right before it. */
export function blocksIn(
  creator: Pick<QueryCreator<Tables>, 'selectFrom'>,
  merchantId: string,
  { first, last }: { first: Expression<number>; last: Expression<number> },
) {
  return creator
    .selectFrom('payment_blocks')
    .where('merchant_id', '=', merchantId)
    .where('up_to', '>=', sql<number>`${first} - 1`)
    .where('up_to', '<=', last)
}

const ENDS = { first: sql.ref<number>('ends.first'), last: sql.ref<number>('ends.last') }

/** The run of ids that a filter's dates are, with the nearest blocks; null where none ends in it. */
export function countedRange(
  database: Database,
): (merchantId: string, filter: PaymentFilter) => Promise<{ range: IdRange; blocks: NearestBlocks | null }> {
  const { builder, read } = database
  const find = prepareEach((shape: RangeShape) => (p: RangeParameters) => {
    const nearest = (which: 'min' | 'max') =>
      blocksIn(builder, p.merchantId, ENDS).select(eb => eb.fn[which]('up_to').as('up_to'))
    return builder
      .selectFrom(rangeEnds(builder, shape, p).as('ends'))
      .leftJoin('payment_blocks as newest', join =>
        join.on('newest.merchant_id', '=', p.merchantId).on('newest.up_to', '=', nearest('max')),
      )
      .select(['ends.first', 'ends.last', 'newest.up_to', 'newest.errors', 'newest.unresolved'])
      .$if(shape.since, query =>
        query
          .leftJoin('payment_blocks as oldest', join =>
            join.on('oldest.merchant_id', '=', p.merchantId).on('oldest.up_to', '=', nearest('min')),
          )
          .select([
            'oldest.up_to as oldest_up_to',
            'oldest.errors as oldest_errors',
            'oldest.unresolved as oldest_unresolved',
          ]),
      )
  })

  return async (merchantId, filter) => {
    const shape = rangeShape(filter)
    const query = find(`${shape.since} ${shape.before}`, shape)
    const row = await read.first(query(rangeParameters(database, merchantId, filter)))
    if (!row) return { range: { first: 1, last: 0 }, blocks: null }
    const range = { first: Number(row.first), last: Number(row.last) }
    const newest = blockOf(row.up_to, row.errors, row.unresolved)
    const oldest = shape.since
      ? blockOf(row.oldest_up_to, row.oldest_errors, row.oldest_unresolved)
      : NOTHING_COUNTED
    return { range, blocks: newest && oldest ? { newest, oldest } : null }
  }
}

type Read<Value> = Value | null | undefined

function blockOf(
  upTo: Read<number | string | bigint>,
  errors: Read<number | string | bigint>,
  unresolved: Read<string>,
): CountedBlock | null {
  if (upTo == null || errors == null || unresolved == null) return null
  return toCountedBlock({ up_to: upTo, errors, unresolved })
}
