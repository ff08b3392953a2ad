import type { OwnServer } from '@tillkit/servers'
import mysql from 'mysql2/promise'
import pg from 'pg'

/** A server of a test's own, or why there is none: its tests are skipped by name, and fail where `CI` is true. */
export async function startedOr(
  start: () => Promise<OwnServer>,
): Promise<{ server: OwnServer | undefined; why: string }> {
  try {
    return { server: await start(), why: '' }
  } catch (error) {
    if (process.env.CI === 'true') throw error
    return { server: undefined, why: ` (${(error as Error).message})` }
  }
}

export async function askPostgres(connectionString: string, statements: string): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  await client.query(statements).finally(() => client.end())
}

export async function askMysql(uri: string, statement: string): Promise<void> {
  const connection = await mysql.createConnection(uri)
  await connection.query(statement).finally(() => connection.end())
}
