import type { CompiledQuery, Kysely, QueryResult } from 'kysely'
import type { Tables } from '../schema/tables.ts'

/** Sends one query. */
export type Execute = <Row>(
  query: CompiledQuery<Row>,
) => Promise<Pick<QueryResult<Row>, 'rows' | 'numAffectedRows'>>

/** Where queries go that are not part of a transaction. */
export interface Connections {
  /** Sends one query on any connection. */
  execute: Execute
  /** Hands `work` one connection. What it throws came after that connection was had. */
  hold<Result>(work: (execute: Execute) => Promise<Result>): Promise<Result>
}

export function kyselyConnections(db: Kysely<Tables>): Connections {
  return {
    execute: query => db.executeQuery(query),
    hold: work => db.connection().execute(connection => work(query => connection.executeQuery(query))),
  }
}
