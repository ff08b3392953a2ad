import type { CompiledQuery, Kysely } from 'kysely'
import type { Address, HostTables } from './address.ts'

/** An engine that tests run over. */
export interface Engine {
  name: string
  /** Why it cannot be had here; undefined where it can. */
  unavailable?: string | undefined
  /**
   * Makes an empty database of the test's own; `apart` where no transaction of another test may be seen either: PostgreSQL's is
   * a schema otherwise, and the build of an index waits for all older snapshots of a database, which keep what is dead as well;
   * nor may another test have its tables analyzed, as `analyze` does with all that are in a database.
   */
  create(where?: { apart: boolean }): Promise<TestDatabase>
  /** Has the engine look at how its tables are filled, as it does by itself in time. */
  analyze(db: Kysely<HostTables>): Promise<void>
  /** How the engine would reach each table that the query reads. */
  accesses(db: Kysely<HostTables>, query: CompiledQuery): Promise<Access[]>
  /** Ends a server that was started for the tests. */
  close?(): Promise<void>
}

export interface TestDatabase {
  address: Address
  drop(): Promise<void>
}

/** One table read by a plan. */
export interface Access {
  table: string
  /** The index that is searched; null where the whole table or the whole index is read. */
  index: string | null
  /** What the index is searched by, as the engine words it. */
  by: string
}
