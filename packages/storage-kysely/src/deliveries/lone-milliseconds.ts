import { type RawBuilder, sql } from 'kysely'
import type { Whole } from '../schema/rows/payment-row.ts'

/**
 * How long the only attempt took that stands in its delivery; null where none does. Processes of the version before write the date,
 * the status and the error of another over those of it, and leave the rest: no such attempt ever was.
 */
export function loneMilliseconds(table: string): RawBuilder<Whole | null> {
  const column = (name: string) => sql.ref(`${table}.${name}`)
  return sql<Whole | null>`case when ${column('last_attempt_at')} is not null and ${column('last_error')} is null
    and ${column('attempts')} < 2 then ${column('lone_milliseconds')} end`
}
