import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Address } from '../engines/address.ts'

/** Sends a statement, or does something else before, after or in place of that. */
export type Intercept = (statement: string, send: () => Promise<pg.QueryResult>) => Promise<pg.QueryResult>

/** A host's Kysely over a pool whose statements go by way of `intercept`. */
export function interceptedAt(address: Address, intercept: Intercept, config: pg.PoolConfig = {}) {
  if (address.dialect !== 'postgres') throw new Error('not PostgreSQL')
  const { connectionString, schema } = address
  const pool = new pg.Pool({ ...config, connectionString, options: `-c search_path="${schema}"` })
  pool.on('error', () => {})
  pool.on('connect', client => {
    client.on('error', () => {})
    const query = client.query.bind(client) as (text: string, values?: unknown[]) => Promise<pg.QueryResult>
    client.query = ((text: string, values?: unknown[]) => intercept(text, () => query(text, values))) as never
  })
  return { pool, db: new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) }) }
}
