import type { ColumnDataType, Expression } from 'kysely'

export type DialectName = 'sqlite'

type ColumnType = ColumnDataType | Expression<unknown>

/** What differs between the engines; nothing else does. */
export interface Dialect {
  name: DialectName
  types: {
    /** Text of at most `length` characters, compared byte for byte. */
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
  /** True where one transaction writes at a time, whatever it writes. */
  oneWriter: boolean
  /** A boolean as the engine takes it. */
  flag(value: boolean): number | boolean
  /** True for an error that undid the whole transaction because of another one, so that it may be run again. */
  isTransient(error: unknown): boolean
}
