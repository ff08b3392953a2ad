import type { ColumnDataType, CompiledQuery, Expression, IsolationLevel, RawBuilder } from 'kysely'

export type DialectName = 'sqlite' | 'postgres' | 'mysql'

type ColumnType = ColumnDataType | Expression<unknown>

/** What differs between the engines; nothing else does. */
export interface Dialect {
  name: DialectName
  types: {
    /** Text of at most `length` characters, compared to the letter. */
    text(length: number): ColumnType
    /** A whole number up to 2^53 - 1. */
    integer: ColumnType
    flag: ColumnType
    /** UTC in whole seconds. */
    date: ColumnType
    /** UTC in milliseconds. */
    instant: ColumnType
    json: ColumnType
  }
  /** True where an index may leave rows out. */
  partialIndexes: boolean
  /** True where one transaction writes at a time, whatever it writes; elsewhere rows are locked one by one. */
  oneWriter: boolean
  /** True where one statement may be made of several, which write and look at each other: a step is one round trip. */
  composes: boolean
  /** What a transaction of Tillkit's own runs at; null where there is no choice. */
  isolation: IsolationLevel | null
  /** A boolean as the engine takes it. */
  flag(value: boolean): number | boolean
  /** A date or an instant as the engine takes it. */
  time(value: string): string
  /** A column of dates or instants as text in UTC, whatever the driver would make of it. */
  timeText(column: Expression<unknown>): RawBuilder<string>
  /** A column of JSON as text. */
  jsonText(column: Expression<unknown>): RawBuilder<string>
  /** The query with parameters that the engine does not refuse; left out where it refuses none. */
  bind?<Row>(query: CompiledQuery<Row>): CompiledQuery<Row>
  /** True for an error that says that a unique key is taken. */
  isDuplicate(error: unknown): boolean
  /** True for an error that says that a table is not there. */
  isMissingTable(error: unknown): boolean
  /** True for an error that undid the whole transaction because of another one, so that it may be run again. */
  isTransient(error: unknown): boolean
  /** True for an error that says that what was being looked at is no longer there; left out where none says so. */
  isDropped?(error: unknown): boolean
  /** True for an error that says that the server is out of reach, or was lost on the way. */
  isLost(error: unknown): boolean
}
