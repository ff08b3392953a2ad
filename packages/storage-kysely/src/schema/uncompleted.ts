import type { PaymentStatus } from '@tillkit/domain'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Dialect } from '../dialects/dialect.ts'

/**
 * Whether a payment has one status of those that few have: an index holds these alone. Said in the words of that index, which
 * no other condition has, so that no planner takes it for a payment that is named by its id.
 */
export function isUncompleted({ name }: Dialect, status: PaymentStatus): RawBuilder<SqlBool> {
  switch (name) {
    case 'postgres':
      return sql`${uncompletedStatus()} = ${sql.lit(status)}`
    case 'sqlite':
      return sql`(status = ${sql.lit(status)} and status <> 'completed')`
    case 'mysql':
      return sql`status = ${sql.lit(status)}`
  }
}

/** The status of such a payment; null for any other. */
export function uncompletedStatus(): RawBuilder<string> {
  return sql`(case when status <> 'completed' then status end)`
}
