import SqliteDatabase from 'better-sqlite3'
import mysql from 'mysql2/promise'
import pg from 'pg'
import type { Address } from './address.ts'

export type Row = Record<string, unknown>

/** A connection of our own, by the bare driver: what is checked is read by nothing of Tillkit's. */
export interface Session {
  /** Runs a statement; rows come with numbers and text only, times in UTC. */
  rows(statement: string): Promise<Row[]>
  close(): Promise<void>
}

export async function openSession(address: Address): Promise<Session> {
  if (address.engine === 'sqlite') return sqliteSession(address.file)
  return address.engine === 'postgres' ? postgresSession(address.url) : mysqlSession(address.url)
}

function sqliteSession(file: string): Session {
  const database = new SqliteDatabase(file)
  return {
    async rows(statement) {
      const prepared = database.prepare(statement)
      if (prepared.reader) return prepared.all() as Row[]
      prepared.run()
      return []
    },
    async close() {
      database.close()
    },
  }
}

/** Of an address that names several servers, the one that takes writes. */
async function postgresSession(url: string): Promise<Session> {
  const [, before = '', hosts = '', after = ''] = /^(.*@)([^/]*)(.*)$/.exec(url) ?? []
  if (!hosts.includes(',')) return sessionAt(url)
  for (const host of hosts.split(',')) {
    const session = await sessionAt(before + host + after).catch(() => undefined)
    const [row] = (await session?.rows('select pg_is_in_recovery() as follows')) ?? []
    if (session && row?.follows === 'f') return session
    await session?.close()
  }
  throw new Error(`none of ${hosts} takes writes`)
}

async function sessionAt(url: string): Promise<Session> {
  const types = { getTypeParser: () => (text: string) => text } as unknown as pg.CustomTypesConfig
  const client = new pg.Client({ connectionString: url, types })
  client.on('error', () => {})
  await client.connect()
  await client.query(`set datestyle = 'ISO'; set time zone 'UTC'`)
  return {
    rows: async statement => (await client.query<Row>(statement)).rows,
    close: () => client.end(),
  }
}

async function mysqlSession(url: string): Promise<Session> {
  const connection = await mysql.createConnection({ uri: url, dateStrings: true })
  connection.on('error', () => {})
  await connection.query(`set time_zone = '+00:00'`)
  return {
    async rows(statement) {
      const [rows] = await connection.query(statement)
      return Array.isArray(rows) ? (rows as Row[]) : []
    },
    close: () => connection.end(),
  }
}
