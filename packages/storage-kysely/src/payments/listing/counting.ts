import { PAYMENT_STATUSES } from '@tillkit/domain'
import { type RawBuilder, sql } from 'kysely'
import type { Dialect } from '../../dialects/dialect.ts'
import { type Ends, hasExact, type PaymentQuery, passing, type Search, type Values } from './passing.ts'

/**
 * What to count for the total of a filter: those that pass, or, of statuses alone, those that do not where they are the
 * rarer side, which is the one without `completed`.
 */
export function countedSide(filter: Search): { counted: Search; fails: boolean } {
  const { status } = filter
  const exact = hasExact(filter)
  if (exact || !status?.includes('completed')) return { counted: filter, fails: false }
  return { counted: { status: PAYMENT_STATUSES.filter(other => !status.includes(other)) }, fails: true }
}

/** True where payments are counted by status alone, those that are completed being the others: blocks of them are counted ahead. */
export function usesBlocks(filter: Search): boolean {
  return !hasExact(filter) && filter.status !== undefined
}

/**
 * How many of the payments in a run of ids pass, as an expression. Each status is counted for itself, since no engine but
 * PostgreSQL looks for several in an index at once.
 */
export function countOf(
  dialect: Dialect,
  payments: () => PaymentQuery,
  filter: Search,
  p: Values,
  ends: Ends | null,
): RawBuilder<number> {
  const shares = filter.status ? filter.status.map(status => ({ ...filter, status: [status] })) : [filter]
  const counts = shares.map(
    share => sql`(${passing(dialect, payments(), share, p, ends).select(sql<number>`count(*)`.as('total'))})`,
  )
  return sql<number>`${sql.join(counts, sql` + `)}`
}
