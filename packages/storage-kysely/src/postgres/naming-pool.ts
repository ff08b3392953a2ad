import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import { statementName } from '../session/statement-name.ts'

/** The part of pg's `Pool` that is used. */
export interface PgPool {
  connect(): Promise<PgClient>
  end(): Promise<void>
  options?: object
}

/** The part of pg's `PoolClient` that is used. */
export interface PgClient {
  query(query: { name?: string; text: string; values: unknown[] }): Promise<PostgresQueryResult<unknown>>
  release(destroy?: boolean): void
  on?(event: 'error', listener: (error: Error) => void): unknown
}

/**
 * The pool as kysely takes it, which sends Tillkit's statements as named prepared ones: a connection parses and plans
 * each once. Unnamed, parsing and planning are half of what a short query costs.
 */
export function namingPool(pool: PgPool): PostgresPool {
  const clients = new WeakMap<PgClient, PostgresPoolClient>()
  return {
    options: pool.options ?? {},
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect()
      const known = clients.get(client) ?? namingClient(client)
      clients.set(client, known)
      return known
    },
  }
}

function namingClient(client: PgClient): PostgresPoolClient {
  // The query that was cut off says so; the client says it again as an event, which, unheard, would end the process.
  client.on?.('error', () => {})
  return {
    query: ((text: string, values: readonly unknown[]) => {
      const name = statementName(text)
      return client.query(
        name === undefined ? { text, values: [...values] } : { name, text, values: [...values] },
      )
    }) as PostgresPoolClient['query'],
    release: destroy => client.release(destroy),
  }
}
