import type { PaymentFilter } from '@tillkit/domain'
import type { IdRange } from '@tillkit/storage'
import { type QueryCreator, sql } from 'kysely'
import type { Dialect } from '../../dialects/dialect.ts'
import type { Whole } from '../../schema/rows/payment-row.ts'
import { BEFORE_ALL, type Tables } from '../../schema/tables.ts'
import type { Database } from '../../session/database.ts'
import { prepareArraysEach } from '../../session/statements/prepared.ts'
import { firstSince } from './first-since.ts'

/** The run of who has no payments. */
export const NO_IDS: IdRange = { first: 1, last: 0 }

/** Which ends of the run a filter gives. */
export interface RangeShape {
  since: boolean
  before: boolean
}

export interface RangeParameters {
  merchantId: string
  startDate: string
  endDate: string
}

export function rangeShape({ startDate, endDate }: PaymentFilter): RangeShape {
  return { since: startDate !== undefined, before: endDate !== undefined }
}

export function rangeParameters(
  { dialect }: Database,
  merchantId: string,
  { startDate = BEFORE_ALL, endDate = BEFORE_ALL }: PaymentFilter,
): RangeParameters {
  return { merchantId, startDate: dialect.time(startDate), endDate: dialect.time(endDate) }
}

/**
 * The ids of the payments between two dates, as one row, or none for an unknown merchant. Ids and dates have one order
 * and ids have no gap, so that any span of time is a run of ids, found by a seek for each end, and its length is a
 * subtraction.
 */
export function rangeEnds(
  dialect: Dialect,
  creator: QueryCreator<Tables>,
  { since, before }: RangeShape,
  p: RangeParameters,
) {
  const firstFrom = (date: string) =>
    sql<number>`coalesce(${firstSince(dialect, creator, p.merchantId, '>=', date)}, last_payment_id + 1)`
  return creator
    .selectFrom('ledgers')
    .select([
      (since ? firstFrom(p.startDate) : sql<number>`1`).as('first'),
      (before ? sql<number>`${firstFrom(p.endDate)} - 1` : sql<number>`last_payment_id`).as('last'),
    ])
    .where('merchant_id', '=', p.merchantId)
}

/** The same by a read; null for an unknown merchant. */
export function idRange(
  database: Database,
): (merchantId: string, filter: PaymentFilter) => Promise<IdRange | null> {
  const { builder, read, dialect } = database
  const findEnds = prepareArraysEach<RangeShape, RangeParameters, [first: Whole, last: Whole]>(
    shape => p => rangeEnds(dialect, builder, shape, p),
  )

  return async (merchantId, filter) => {
    const shape = rangeShape(filter)
    const query = findEnds(`${shape.since} ${shape.before}`, shape)
    const ends = await (read.opening ?? read).first(query(rangeParameters(database, merchantId, filter)))
    return ends ? { first: Number(ends[0]), last: Number(ends[1]) } : null
  }
}
