import { type RawBuilder, sql } from 'kysely'

/**
 * `longtext` for all that is compared or written: what is too long or out of range for a shorter type MariaDB cuts to it without a word,
 * where the column that takes it refuses it. `bigint` for what rows are looked up by.
 */
type JsonType = 'longtext' | 'bigint'

/** Text has its characters named: those that the database has by default may lack some. */
const TYPES = { longtext: 'longtext character set utf8mb4', bigint: 'bigint' }

/**
 * Rows of JSON as the table `given` of a statement of MySQL's or MariaDB's, so that any number of them is one form of it: the columns by
 * their types, and `place`, from 1 on. Put before `straight_join` it is gone through row by row, whatever a planner knows of what
 * is joined.
 */
export function jsonRows(rows: string, columns: Record<string, JsonType>): RawBuilder<unknown> {
  const typed = Object.entries(columns).map(
    ([name, type]) => sql`${sql.ref(name)} ${sql.raw(TYPES[type])} path ${sql.lit(`$.${name}`)}`,
  )
  return sql`json_table(${rows}, '$[*]' columns (place for ordinality, ${sql.join(typed)})) as given`
}

/** Columns of text by their names. */
export const asTexts = (names: readonly string[]): Record<string, JsonType> =>
  Object.fromEntries(names.map(name => [name, 'longtext']))

/** Rows as the JSON that they are given in. Half a pair of surrogates, which that cannot hold, is what a driver makes of it. */
export function rowsAsJson(rows: readonly object[]): string {
  return JSON.stringify(rows, (_, value) => (typeof value === 'string' ? value.toWellFormed() : value))
}
