import { type RawBuilder, sql } from 'kysely'
import type { Dialect } from '../dialects/dialect.ts'

/**
 * A whole number that PostgreSQL's planner is not shown, as an end of a run of ids. Of a run with two such ends it expects
 * little; shown them, it takes the run from 1 to 50 for half of the table where most merchants have few payments, whosever
 * run it is, and reads all of it.
 */
export function unforeseen({ name }: Dialect, value: number): RawBuilder<number> {
  return name === 'postgres' ? sql`(select ${value}::bigint)` : sql`${value}`
}
