import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Dialect } from '../../dialects/dialect.ts'

/**
 * A whole number that PostgreSQL's planner is not shown, as an end of a run of ids. Of a run with two such ends it expects
 * little; shown them, it takes the run from 1 to 50 for half of the table where most merchants have few payments, whosever
 * run it is, and reads all of it.
 */
export function unforeseen({ name }: Dialect, value: number): RawBuilder<number> {
  return name === 'postgres' ? sql`(select ${value}::bigint)` : sql`${value}`
}

/**
 * True of any number from 0 on, though a planner expects it of hardly a row. So it looks up by its key each row that is named,
 * and reads no table whole for them, which it would go on doing after the table has grown.
 */
export function hardlyAny(dialect: Dialect, number: Expression<unknown>): RawBuilder<SqlBool> {
  return sql`${number} >= ${unforeseen(dialect, 0)} and ${number} <= ${unforeseen(dialect, Number.MAX_SAFE_INTEGER)}`
}
