import type { PostgresQueryResult } from 'kysely'
import type { SessionAddress } from './cancel-request.ts'

/** The part of pg's `Pool` that is used. */
export interface PgPool {
  connect(): Promise<PgClient>
  end(): Promise<void>
  options?: { max?: number }
  on?(event: 'error', listener: () => void): unknown
  on?(event: 'connect' | 'acquire', listener: (client: PgClient) => void): unknown
}

/** The part of pg's `PoolClient` that is used. */
export interface PgClient extends SessionAddress {
  query(query: {
    name?: string | undefined
    text: string
    values: unknown[]
  }): Promise<PostgresQueryResult<unknown>>
  release(destroy?: boolean): void
  on?(event: 'error', listener: (error: Error) => void): unknown
}

const pools = new WeakSet<PgPool>()
const clients = new WeakSet<PgClient>()

/**
 * Hears what pg says of connections that end, to nobody in particular and besides the query that it cuts off: unheard, it
 * would end the process. pg tells of a connection before it hands it out, so that there is no moment without a listener.
 */
export function hear(pool: PgPool): void {
  if (pools.has(pool)) return
  pools.add(pool)
  pool.on?.('error', () => {})
  pool.on?.('connect', hearClient)
  // One that was there before.
  pool.on?.('acquire', hearClient)
}

export function hearClient(client: PgClient): void {
  if (clients.has(client)) return
  clients.add(client)
  client.on?.('error', () => {})
}
