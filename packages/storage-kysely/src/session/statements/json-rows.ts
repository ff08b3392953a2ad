import { type CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { Database } from '../database.ts'
import { prepare, prepareArrays } from './prepared.ts'

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

/**
 * Locks the rows of that table, as a statement calls it, that no other has locked. MySQL locks no rows of `given` and has to be told whose;
 * MariaDB cannot be told. MySQL alone reads what stands in such a comment.
 */
export const lockFree = (table: string): RawBuilder<unknown> =>
  sql.raw(`for update /*!80000 of ${table} */ skip locked`)

/** Columns of text by their names. */
export const asTexts = (names: readonly string[]): Record<string, JsonType> =>
  Object.fromEntries(names.map(name => [name, 'longtext']))

/** A statement for any number of rows. */
export type ForRows<Row> = (rows: readonly object[]) => CompiledQuery<Row>

/** Prepares a statement of MySQL's or MariaDB's that has rows for its only parameter, as the JSON that `jsonRows` reads. */
export function prepareForRows<Row>(
  { builder }: Pick<Database, 'builder'>,
  write: (rows: string) => RawBuilder<Row>,
): ForRows<Row> {
  const prepared = prepare<{ rows: string }, Row>(p => ({ compile: () => write(p.rows).compile(builder) }))
  return rows => prepared({ rows: rowsAsJson(rows) })
}

/** The same with arrays for rows of its answer. */
export function prepareArraysForRows<Row extends readonly unknown[]>(
  { builder }: Pick<Database, 'builder'>,
  write: (rows: string) => RawBuilder<unknown>,
): ForRows<Row> {
  const prepared = prepareArrays<{ rows: string }, Row>(p => ({
    compile: () => write(p.rows).compile(builder),
  }))
  return rows => prepared({ rows: rowsAsJson(rows) })
}

/** Half a pair of surrogates, which JSON of MariaDB's cannot hold, is what a driver makes of it. */
function rowsAsJson(rows: readonly object[]): string {
  return JSON.stringify(rows, (_, value) => (typeof value === 'string' ? value.toWellFormed() : value))
}
