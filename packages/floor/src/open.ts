import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseStorage } from '@tillkit/storage-kysely'
import { mysqlStorage } from '@tillkit/storage-kysely/mysql'
import { postgresStorage } from '@tillkit/storage-kysely/postgres'
import { sqliteStorage } from '@tillkit/storage-kysely/sqlite'
import { createTill } from '@tillkit/till'
import Database from 'better-sqlite3'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { BIG, fillStatements, SMALL, small } from '../../storage-kysely/bench/fill.ts'
import type { Place } from './by-hand/by-hand.ts'

/** A merchant as its developer knows it. */
export interface Shop {
  apiKey: string
  scanCode: string
}

/** A database with payments in it, and who may ask for them. */
export interface Opened {
  version: string
  place: Place
  big: Shop
  small: Shop[]
  close(): Promise<void>
}

const POSTGRES = process.env.TILLKIT_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/test'
const MYSQL = process.env.TILLKIT_MYSQL_URL ?? 'mysql://root@127.0.0.1:3306/test'

/** Issues keys and codes, and asks for totals until blocks are counted, as readers have them counted. */
async function shopsOf(storage: DatabaseStorage, rows: number): Promise<{ big: Shop; small: Shop[] }> {
  const till = createTill({ storage })
  const shopOf = async (merchantId: string): Promise<Shop> => {
    const { code: scanCode } = await till.scanCodes.create(merchantId)
    return { apiKey: (await till.apiKeys.issue(merchantId)).apiKey, scanCode }
  }
  const big = await shopOf(BIG)
  const others: Shop[] = []
  for (let n = 0; n < SMALL; n++) others.push(await shopOf(small(n)))
  for (let asked = 0; asked < 50 + rows / 1024; asked++)
    await storage.payments.list(BIG, { status: ['completed'] }, { skip: 0, limit: 1 })
  await till.close()
  await storage.close()
  return { big, small: others }
}

async function openPostgres(rows: number, connectionString = POSTGRES): Promise<Opened> {
  const schema = `tillkit_bench_api_${rows}`
  const client = new pg.Client({ connectionString })
  // A server that is stopped says so to whoever is about to leave.
  client.on('error', () => {})
  await client.connect()
  await client.query(`drop schema if exists ${schema} cascade`)
  const storage = postgresStorage({ connectionString }, { schema })
  await storage.migrate()
  for (const statement of fillStatements('postgres', rows, name => `${schema}.tillkit_${name}`))
    await client.query(statement)
  await client.query(`vacuum analyze ${schema}.tillkit_payments`)
  const { rows: versions } = await client.query('show server_version')
  return {
    version: `PostgreSQL ${versions[0].server_version}`,
    place: { engine: 'postgres', connectionString, schema },
    ...(await shopsOf(storage, rows)),
    async close() {
      await client.query(`drop schema ${schema} cascade`)
      await client.end()
    },
  }
}

async function openMysql(rows: number, server = MYSQL): Promise<Opened> {
  const database = `tillkit_bench_api_${rows}`
  const owner = await mysql.createConnection(server)
  await owner.query(`drop database if exists ${database}`)
  await owner.query(`create database ${database}`)
  const address = new URL(server)
  address.pathname = `/${database}`
  const uri = address.href
  const storage = mysqlStorage({ uri })
  await storage.migrate()
  await owner.query(`use ${database}`)
  for (const statement of fillStatements('mysql', rows, name => `tillkit_${name}`))
    await owner.query(statement)
  const [versions] = await owner.query<mysql.RowDataPacket[]>('select version() as version')
  return {
    version: `MariaDB or MySQL ${versions[0]?.version}`,
    place: { engine: 'mysql', uri },
    ...(await shopsOf(storage, rows)),
    async close() {
      await owner.query(`drop database ${database}`)
      await owner.end()
    },
  }
}

async function openSqlite(rows: number): Promise<Opened> {
  const folder = await mkdtemp(join(tmpdir(), 'tillkit-bench-'))
  const file = join(folder, 'till.db')
  const storage = sqliteStorage({ file })
  await storage.migrate()
  const db = new Database(file)
  for (const statement of fillStatements('sqlite', rows, name => `tillkit_${name}`)) db.exec(statement)
  db.pragma('wal_checkpoint(TRUNCATE)')
  const version = db.prepare<unknown[], string>('select sqlite_version()').pluck().get()
  db.close()
  return {
    version: `SQLite ${version}`,
    place: { engine: 'sqlite', file },
    ...(await shopsOf(storage, rows)),
    close: () => rm(folder, { recursive: true }),
  }
}

/** Fills a database of the engine: at an address from the environment, the usual one, or the one given. */
export const OPEN = { postgres: openPostgres, mysql: openMysql, sqlite: openSqlite }
