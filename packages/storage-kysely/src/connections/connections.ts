import type { CompiledQuery, QueryResult } from 'kysely'
import type { Deadline } from './limits/deadline.ts'
import type { ReadTurns } from './turns/read-turns.ts'

/** What a query comes to. */
export type Answer<Row> = Promise<Pick<QueryResult<Row>, 'rows' | 'numAffectedRows'>>

/** Sends one query. */
export type Execute = <Row>(query: CompiledQuery<Row>) => Answer<Row>

export interface LockLimits {
  /** How long one statement waits for a lock, in milliseconds, where the engine can be told so. */
  lockWait?: number | undefined
  /** Since when the lock of an engine's one writer is waited for, by `performance.now()`, where that is not from now on. */
  since?: number | undefined
}

/** Where queries go that are not part of a host's transaction. All that is asked of it ends by the deadline. */
export interface Connections {
  /** How many connections there are at most, as far as anyone knows. */
  size(): number
  /** Whether one is to be had at once, as far as anyone knows. */
  isFree(): boolean
  /** Whose turn it is to read what may take long. Left out where reads do not share connections. */
  readonly readTurns?: ReadTurns | undefined
  /** True where a statement by itself cannot be told by `hold` how long to wait for a lock, though the engine can: a transaction can. */
  tellsNoStatement?: boolean
  /** Hands `work` one connection. What it throws came after that connection was had. */
  hold<Result>(
    deadline: Deadline,
    work: (execute: Execute) => Promise<Result>,
    limits?: LockLimits,
  ): Promise<Result>
  /** The same of a read that may wait for others that are asked for at the same moment. Left out where none waits. */
  holdTogether?: Connections['hold']
  /**
   * The same within a transaction at READ COMMITTED, which commits when `work` is done and is rolled back when it throws.
   * Throws `CommitUnknownError` where the server did not answer the commit itself.
   */
  transact<Result>(
    deadline: Deadline,
    work: (execute: Execute) => Promise<Result>,
    limits?: LockLimits,
  ): Promise<Result>
}
