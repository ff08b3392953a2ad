import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { Kysely, MysqlDialect, PostgresDialect, SqliteDialect, sql } from 'kysely'
import mysql from 'mysql2'
import pg from 'pg'
import type { DatabaseStorage, DialectName } from '../../src/index.ts'
import { mysqlStorage } from '../../src/mysql/index.ts'
import { postgresStorage } from '../../src/postgres/index.ts'
import { sqliteStorage } from '../../src/sqlite/index.ts'
import { fillStatements } from '../fill.ts'
import { byHand } from './by-hand.ts'

export async function openSqlite(rows: number) {
  const folder = await mkdtemp(join(tmpdir(), 'tillkit-bench-'))
  const file = join(folder, 'till.db')
  const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database: new Database(file) }) })
  return filled(sqliteStorage({ file }), db, 'sqlite', 'sqlite_version()', rows, () =>
    rm(folder, { recursive: true }),
  )
}

export async function openPostgres(rows: number) {
  const connectionString = process.env.TILLKIT_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/test'
  const schema = `tillkit_bench_${process.pid}`
  const admin = new pg.Pool({ connectionString })
  await admin.query(`create schema ${schema}`)
  const pool = new pg.Pool({ connectionString, options: `-c search_path=${schema}` })
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  const storage = postgresStorage({ connectionString }, { schema })
  return filled(storage, db, 'postgres', 'version()', rows, async () => {
    await admin.query(`drop schema ${schema} cascade`)
    await admin.end()
  })
}

export async function openMysql(rows: number) {
  const uri = process.env.TILLKIT_MYSQL_URL ?? 'mysql://root@127.0.0.1:3306/test'
  const name = `tillkit_bench_${process.pid}`
  const admin = mysql.createPool({ uri }).promise()
  await admin.query(`create database ${name}`)
  const own = new URL(uri)
  own.pathname = `/${name}`
  const pool = mysql.createPool({ uri: own.href, timezone: 'Z' })
  const db = new Kysely<unknown>({ dialect: new MysqlDialect({ pool }) })
  return filled(mysqlStorage({ uri: own.href }), db, 'mysql', 'version()', rows, async () => {
    await admin.query(`drop database ${name}`)
    await admin.end()
  })
}

async function filled(
  storage: DatabaseStorage,
  db: Kysely<unknown>,
  dialect: DialectName,
  version: string,
  rows: number,
  drop: () => Promise<void>,
) {
  await storage.migrate()
  const statements = fillStatements(dialect, rows, name => `tillkit_${name}`)
  for (const statement of statements) await sql.raw(statement).execute(db)
  // The period that is open begins with the first payment.
  await sql`delete from tillkit_cash_ups`.execute(db)
  await sql`update tillkit_ledgers set last_cash_up_payment_id = 0, last_cash_up_number = 0`.execute(db)
  const found = await sql<{ text: string }>`select ${sql.raw(version)} as text`.execute(db)
  return {
    version: `${dialect} ${found.rows[0]?.text}`,
    storage,
    byHand: byHand(db, dialect),
    async kept() {
      const { rows } = await sql<{ n: unknown }>`select count(*) as n from tillkit_payment_sums`.execute(db)
      return Number(rows[0]?.n)
    },
    async forget() {
      await sql`delete from tillkit_payment_sums`.execute(db)
    },
    async close() {
      await db.destroy()
      await storage.close()
      await drop()
    },
  }
}
