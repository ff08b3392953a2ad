import { PAYMENT_STATUSES, type PaymentStatus } from '@tillkit/domain'
import { type RawBuilder, type SqlBool, sql } from 'kysely'

/**
 * Whether payments that are found by other columns have one of these statuses. Said by those that they have not, so that no
 * index of a status answers it: where statistics are old, a planner takes a status for rare, and walks all that have it.
 */
export function hasOneOf(statuses: readonly PaymentStatus[]): RawBuilder<SqlBool> {
  const others = PAYMENT_STATUSES.filter(status => !statuses.includes(status)).map(status => sql.lit(status))
  return sql<SqlBool>`status not in (${sql.join(others)})`
}
