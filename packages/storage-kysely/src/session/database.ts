import type { Kysely } from 'kysely'
import type { Dialect } from '../dialects/dialect.ts'
import type { Tables } from '../schema/tables.ts'
import type { Session } from './session.ts'

/** What every operation of the store works with. */
export interface Database {
  /** Writes queries, with plain table names. Never runs them. */
  builder: Kysely<Tables>
  /** Runs one query that reads. */
  read: Session
  /**
   * Runs `work` as one transaction, all of it or none, and again from its start where the engine says that it lost to
   * another transaction. So `work` must change nothing outside of its session.
   */
  write<Result>(work: (session: Session) => Promise<Result>): Promise<Result>
  dialect: Dialect
}
