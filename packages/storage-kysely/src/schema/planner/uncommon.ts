import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Dialect } from '../../dialects/dialect.ts'

/** A column in which almost all rows come to have the same: an index holds the rows with anything else alone. */
interface MostlyOne {
  column: string
  common: string
}

const STATUS: MostlyOne = { column: 'status', common: 'completed' }
const STATE: MostlyOne = { column: 'state', common: 'delivered' }

/** Which of the two a table has. */
const MOSTLY_ONE = { payments: STATUS, deliveries: STATE }

/** A table whose rows come to be alike in this. */
export type Alike = keyof typeof MOSTLY_ONE

/**
 * Whether a payment's status, or a delivery's state, is one of those that few have: an index holds these alone. Said in the
 * words of that index, which no other condition has, so that no planner takes it for a row that is named by its id.
 */
export function isUncommon({ name }: Dialect, table: Alike, value: string): RawBuilder<SqlBool> {
  const { column, common } = MOSTLY_ONE[table]
  const is = sql`${sql.raw(column)} = ${sql.lit(value)}`
  switch (name) {
    case 'postgres':
      return sql`${uncommonValue(table)} = ${sql.lit(value)}`
    case 'sqlite':
      return sql`(${is} and ${sql.raw(column)} <> ${sql.lit(common)})`
    case 'mysql':
      return sql`${is}`
  }
}

/**
 * Whether it is the one that most have. Said so that no index answers it, and no statistics: a planner takes it for every
 * second row, and walks along the ids until it has enough.
 */
export function isCommon(table: Alike): RawBuilder<SqlBool> {
  const { column, common } = MOSTLY_ONE[table]
  return byNoIndex(sql`${sql.raw(column)} = ${sql.lit(common)}`)
}

/** A condition in words that no index has: it is looked at in the rows that others find. */
export function byNoIndex(is: RawBuilder<SqlBool>): RawBuilder<SqlBool> {
  return sql`(case when ${is} then true else false end)`
}

/** That status or state; null where it is the one that most have. */
export function uncommonValue(table: Alike): RawBuilder<string> {
  const { column, common } = MOSTLY_ONE[table]
  return sql`(case when ${sql.raw(column)} <> ${sql.lit(common)} then ${sql.raw(column)} end)`
}
