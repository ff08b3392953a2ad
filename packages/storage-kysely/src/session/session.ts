import type { CompiledQuery } from 'kysely'
import type { Dialect } from '../dialects/dialect.ts'
import type { Execute } from './connections.ts'
import { runAgain } from './run-again.ts'

/** Runs queries: on any connection, or on the one of a transaction. */
export interface Session {
  all<Row>(query: CompiledQuery<Row>): Promise<Row[]>
  first<Row>(query: CompiledQuery<Row>): Promise<Row | undefined>
  /** How many rows the query changed. */
  change(query: CompiledQuery<unknown>): Promise<number>
}

export function sessionOf(execute: Execute, { bind = query => query }: Dialect): Session {
  return {
    all: async query => (await execute(bind(query))).rows,
    first: async query => (await execute(bind(query))).rows[0],
    change: async query => Number((await execute(bind(query))).numAffectedRows ?? 0n),
  }
}

/** The same for queries that only read, each by itself: they may always be run again. */
export function readsOf(execute: Execute, dialect: Dialect): Session {
  const once = sessionOf(execute, dialect)
  return {
    all: query => runAgain(dialect, true, () => once.all(query)),
    first: query => runAgain(dialect, true, () => once.first(query)),
    change: query => runAgain(dialect, true, () => once.change(query)),
  }
}
