import type { PostgresQueryResult } from 'kysely'

/** The part of pg's `Pool` that is used. */
export interface PgPool {
  connect(): Promise<PgClient>
  end(): Promise<void>
  options?: object
}

/** The part of pg's `PoolClient` that is used. */
export interface PgClient {
  query(query: {
    name?: string | undefined
    text: string
    values: unknown[]
  }): Promise<PostgresQueryResult<unknown>>
  release(destroy?: boolean): void
  on?(event: 'error', listener: (error: Error) => void): unknown
}

const heard = new WeakSet<PgClient>()

/** A connection from the pool. */
export async function connect(pool: PgPool): Promise<PgClient> {
  const client = await pool.connect()
  if (!heard.has(client)) {
    heard.add(client)
    // The query that a lost connection cuts off says so; the client says it again as an event, which, unheard, would end
    // the process.
    client.on?.('error', () => {})
  }
  return client
}
