import type { CompiledQuery, Kysely } from 'kysely'
import type { Tables } from '../schema/tables.ts'

/** Runs queries: on any connection, or on the one of a transaction. */
export interface Session {
  all<Row>(query: CompiledQuery<Row>): Promise<Row[]>
  first<Row>(query: CompiledQuery<Row>): Promise<Row | undefined>
  /** How many rows the query changed. */
  change(query: CompiledQuery<unknown>): Promise<number>
}

export function sessionOf(db: Kysely<Tables>): Session {
  return {
    all: async query => (await db.executeQuery(query)).rows,
    first: async query => (await db.executeQuery(query)).rows[0],
    change: async query => Number((await db.executeQuery(query)).numAffectedRows ?? 0n),
  }
}
