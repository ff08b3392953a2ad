import { EXACT_FILTERS, PAYMENT_STATUSES, type PaymentFilter } from '@tillkit/domain'
import { type Expression, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Dialect } from '../../dialects/dialect.ts'
import { idBlock } from '../../schema/id-block.ts'
import { byNoIndex, isCommon, isUncommon } from '../../schema/planner/uncommon.ts'
import type { Tables } from '../../schema/tables.ts'
import { hasOneOf } from '../has-one-of.ts'

const COLUMNS = {
  scanCode: 'scan_code',
  scanCodeReference: 'scan_code_reference',
  userReference: 'user_reference',
  merchantReference: 'merchant_reference',
  statementReference: 'statement_reference',
} as const satisfies Record<(typeof EXACT_FILTERS)[number], string>

const exactOf = (filter: PaymentFilter) => EXACT_FILTERS.filter(name => filter[name] !== undefined)

/** What one index finds: an exact filter, or the statuses that few payments have. */
export type Narrow = (typeof EXACT_FILTERS)[number] | 'status'

/** Filters, and which of several to look for payments by where that is known: the others are looked at in those found. */
export interface Search extends PaymentFilter {
  by?: Narrow
}

/** Whether it compares a column with a value, as all do but dates and statuses. */
export function hasExact(filter: PaymentFilter): boolean {
  return exactOf(filter).length > 0
}

/** Whether payments are looked for by such a comparison. */
export function isByExact(search: Search): boolean {
  return hasExact(search) && search.by !== 'status'
}

/** The filters each of which an index has by itself. */
export function narrowOf({ status, ...filter }: PaymentFilter): Narrow[] {
  const isUncommon = status !== undefined && !status.includes('completed')
  return isUncommon ? [...exactOf(filter), 'status'] : exactOf(filter)
}

/** What the exact filters compare with, and the merchant. */
export type Values = Partial<Record<(typeof EXACT_FILTERS)[number], string>> & { merchantId: string }

/** The ends of a run of ids, as values or as columns of what is joined. */
export interface Ends {
  first: number | Expression<number>
  last: number | Expression<number>
}

export type PaymentQuery<Outside = object> = SelectQueryBuilder<Tables & Outside, 'payments', object>

/**
 * Narrows a query of payments to those in a run of ids, or to all of a merchant's, that pass filters. Dates are what the run
 * is for: where there are none, one index of the merchant's would look as good as another beside a run.
 */
export function passing<Query extends PaymentQuery>(
  dialect: Dialect,
  query: Query,
  filter: Search,
  p: Values,
  ends: Ends | null,
): Query {
  let narrowed: PaymentQuery = query.where('merchant_id', '=', p.merchantId)
  if (ends) narrowed = narrowed.where('id', '>=', ends.first).where('id', '<=', ends.last)
  const exact = exactOf(filter)
  for (const name of exact) {
    const is = sql<SqlBool>`${sql.ref(COLUMNS[name])} = ${p[name]}`
    if (filter.by !== undefined && filter.by !== name) {
      narrowed = narrowed.where(byNoIndex(is))
      continue
    }
    // The one index of these that leaves no rows out: by no statistics SQLite would as soon go along the key.
    const isRare =
      dialect.name === 'sqlite' && name === 'scanCode' && (exact.length === 1 || filter.by === name)
    narrowed = narrowed.where(isRare ? sql<SqlBool>`likelihood(${is}, 0.001)` : is)
  }
  if (ends && isByExact(filter) && dialect.name === 'postgres') {
    narrowed = narrowed.where(
      sql<SqlBool>`${idBlock()} between ${idBlock(ends.first)} and ${idBlock(ends.last)}`,
    )
  }
  if (isByExact(filter) && filter.status) return narrowed.where(hasOneOf(filter.status)) as Query
  return withStatus(dialect, narrowed, filter.status ?? []) as Query
}

function withStatus(
  dialect: Dialect,
  query: PaymentQuery,
  [status, ...more]: NonNullable<PaymentFilter['status']>,
): PaymentQuery {
  if (status === undefined) return query
  const wanted = [status, ...more]
  if (more.length === 0 && status === 'completed') {
    // Written out where an index has it, so that a plan that is kept for all values is made for this one.
    return query.where(dialect.partialIndexes ? isCommon('payments') : sql<SqlBool>`status = 'completed'`)
  }
  // Most payments are completed: those are found along the ids, the others through the index of what is not.
  if (wanted.includes('completed')) return query.where(hasOneOf(wanted))
  return query.where(eb => eb.or(wanted.map(one => isUncommon(dialect, 'payments', one))))
}

/** Names the prepared form of a search: which filters there are, which statuses, and by which it goes. */
export function formOf(search: Search): string {
  return [...exactOf(search), ...(search.status ?? []), search.by].join(' ')
}

/** The filters that a run of ids does not answer; all three statuses are no filter at all. */
export function withoutDates(filter: PaymentFilter): PaymentFilter {
  const rest: PaymentFilter = {}
  for (const name of exactOf(filter)) rest[name] = filter[name]
  const status = PAYMENT_STATUSES.filter(one => filter.status?.includes(one))
  if (status.length > 0 && status.length < PAYMENT_STATUSES.length) rest.status = status
  return rest
}
