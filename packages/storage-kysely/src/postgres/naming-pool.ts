import type { PostgresPool, PostgresPoolClient } from 'kysely'
import { statementName } from '../session/statement-name.ts'
import { connect, type PgClient, type PgPool } from './pg-pool.ts'

/**
 * The pool as kysely takes it, which sends Tillkit's statements as named prepared ones: a connection parses and plans
 * each once. Unnamed, parsing and planning are half of what a short query costs.
 */
export function namingPool(pool: PgPool): PostgresPool {
  const clients = new WeakMap<PgClient, PostgresPoolClient>()
  return {
    options: pool.options ?? {},
    // Whoever made the pool ends it.
    end: async () => {},
    async connect() {
      const client = await connect(pool)
      const known = clients.get(client) ?? namingClient(client)
      clients.set(client, known)
      return known
    },
  }
}

function namingClient(client: PgClient): PostgresPoolClient {
  return {
    query: ((text: string, values: readonly unknown[]) =>
      client.query({ name: statementName(text), text, values: [...values] })) as PostgresPoolClient['query'],
    release: destroy => client.release(destroy),
  }
}
