import type { Instant } from '@tillkit/domain'
import type {
  ColumnDataType,
  CompiledQuery,
  Expression,
  IsolationLevel,
  KyselyPlugin,
  RawBuilder,
} from 'kysely'
import type { Check } from '../connections/check-once.ts'
import type { Execute } from '../connections/connections.ts'
import type { Placed } from '../schema/in-place.ts'
import type { NameOptions } from '../schema/names.ts'

/** The engines; MariaDB is `mysql`. */
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
  /** True where an update may return the rows that it changed. */
  updatesReturn: boolean
  /** True where the tables are laid out over the nodes of a Citus cluster, by merchant. */
  distributed?: boolean
  /** What a transaction of Tillkit's own runs at; null where there is no choice. */
  isolation: IsolationLevel | null
  /** A boolean as the engine takes it. */
  flag(value: boolean): number | boolean
  /** A date or an instant as the engine takes it. */
  time(value: string): string
  /** `given`, or, where that is null, the engine's own time, to the millisecond, when the statement gets to it. */
  orNow(given: string | null | Expression<unknown>): RawBuilder<string>
  /** What to give in place of null where the engine has no time that its processes share; left out where it has. */
  sharedTime?(): Instant
  /** A column of dates or instants as `dates.ts` reads it, whatever the driver or the session would make of it. */
  timeOf(column: Expression<unknown>): RawBuilder<string>
  /** The same of a column of whole seconds, as a page has fifty of them. */
  secondOf(column: Expression<unknown>): RawBuilder<string>
  /** A flag of a payment: null where it is false if that costs less to hand over, and 2 where there is none. */
  flagOf(column: RawBuilder<unknown>): RawBuilder<unknown>
  /** A column of JSON as text. */
  jsonText(column: Expression<unknown>): RawBuilder<string>
  /** Changes how queries are written; left out where there is nothing to change. */
  plugin?: KyselyPlugin
  /** The query with parameters that the engine does not refuse; left out where it refuses none. */
  bind?<Row>(query: CompiledQuery<Row>): CompiledQuery<Row>
  /** How the server itself ends a read that takes longer than it may; left out where statements are to stay as they are. */
  readLimit?: {
    /** The read, which ends after so many seconds. */
    limited<Row>(query: CompiledQuery<Row>, seconds: number): CompiledQuery<Row>
    /** True for the error that it then ends in. */
    isMet(error: unknown): boolean
  }
  /**
   * A check of a host's session at its first use, which throws `DatabaseError` for one in which the same statements mean
   * something else; `placed` hears how it finds the tables of those names, where there are some to look for. Left out where
   * there is nothing to check.
   */
  sessionCheck?(names: NameOptions | undefined, placed?: Placed): Check
  /**
   * Whether a transaction is open. Left out where that shows when a savepoint is set; where it is not, one outside of a transaction
   * begins another.
   */
  isInTransaction?(execute: Execute): Promise<boolean>
  /** True for an error that says that a unique key is taken. */
  isDuplicate(error: unknown): boolean
  /** True for an error that says that text has a character which the database's encoding lacks; left out where none lacks any. */
  lacksCharacter?(error: unknown): boolean
  /** True for an error that says that a table is not there. */
  isMissingTable(error: unknown): boolean
  /** True for an error that undid the whole transaction because of another one, so that it may be run again. */
  isTransient(error: unknown): boolean
  /** True for one of those that says that a lock was waited for in vain. */
  isLockWait(error: unknown): boolean
  /**
   * True for an error of a migration, or of a write with the merchant's lock held, that another process is at as well, by a
   * server that shares no lock with this one's; left out where none shares none.
   */
  isBesideAnother?(error: unknown): boolean
  /** True for an error with which the server itself answered a statement, on a connection that can go on. */
  isAnswer(error: unknown): boolean
  /** True for an error with which a server ended a session that lay idle, whatever it is sent since; none where it is left out. */
  isUnbegun?(error: unknown): boolean
  /** True for an error that says that the server is out of reach, or was lost on the way. */
  isLost(error: unknown): boolean
  /** True for an error of a server, or of a session, that answers so for as long as it is as it is, while another one may not; none where it is left out. */
  isForAnotherServer?(error: unknown): boolean
  /** True for one of those, and for an error of a session that keeps a limit from when it began, while a new one may have another; none where it is left out. */
  isForAnotherSession?(error: unknown): boolean
  /** Rolls back the transaction of a connection whose server has refused that as it refuses all; left out where none does. */
  rollBackRefused?(execute: Execute): Promise<void>
  /**
   * Has the statements of a connection wait for a lock so many seconds; what it resolves to sets back what was. Left out where a
   * transaction is told by itself.
   */
  waitForLocks?(execute: Execute, seconds: number): Promise<() => Promise<unknown>>
  /** Whether one of the errors that `isTransient` knows has undone the transaction of a connection; left out where a commit that comes then fails or says so. */
  wasUndone?(execute: Execute): Promise<boolean>
  /** What an error means for the person who runs the database, where that can be said; it is followed by the engine's words. */
  explain(error: unknown): string | undefined
  /** True for an error whose message may quote values of the statement. */
  quotes(error: unknown): boolean
}
