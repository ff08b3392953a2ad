import { Kysely, MysqlDialect, PostgresDialect } from 'kysely'
import mysql from 'mysql2'
import pg from 'pg'
import type { Address } from '../../engines/address.ts'
import { openSession } from '../../faults/session.ts'

/** A Kysely that looks at what its statements do to tables that others are at. */
export interface Observed {
  db: Kysely<unknown>
  /** Ends it, and returns what would have kept others waiting, or gone through rows, with its statement. */
  close(): Promise<string[]>
}

export async function observedAt(address: Address): Promise<Observed> {
  if (address.dialect === 'sqlite') throw new Error('SQLite lets one write at a time')
  return address.dialect === 'postgres' ? observedPostgres(address) : observedMysql(address.uri)
}

/** What changes a catalogue and nothing else. */
const ADDED = /^alter table \S+ add column /

/** Of statements that are done by themselves, those that let others write. */
const ALONE =
  /^(create index concurrently|drop index concurrently|alter index \S+ rename to|select|insert into \S+migrations|update \S+migrations)/

interface Lock {
  name: string
  mode: string
  patience: string
}

/** Locks are looked at after each statement of a transaction, which keeps them until it ends. */
async function observedPostgres(address: Extract<Address, { dialect: 'postgres' }>): Promise<Observed> {
  const { connectionString, schema } = address
  const faults: string[] = []
  const session = await openSession(address)
  const files = () =>
    session.run(`select relname as name, relfilenode as file from pg_class where relkind = 'r'
      and relnamespace = (select oid from pg_namespace where nspname = '${schema}') and relname not like '%migrations%'`)
  const rows = await files()
  const there = rows.map(({ name }) => `'${name}'`).join()
  const held = `select c.relname as name, l.mode, current_setting('lock_timeout') as patience
    from pg_locks as l join pg_class as c on c.oid = l.relation
    where l.pid = pg_backend_pid() and c.relname in (${there})
      and c.relnamespace = (select oid from pg_namespace where nspname = '${schema}')
      and l.mode not in ('AccessShareLock', 'RowShareLock', 'ShareUpdateExclusiveLock')`
  const pool = new pg.Pool({ connectionString, options: `-c search_path="${schema}"` })
  pool.on('connect', client => {
    const send = client.query.bind(client) as (text: string, values?: unknown[]) => Promise<pg.QueryResult>
    let within = false
    let known: string[] = []
    const observe = async (text: string, values?: unknown[]) => {
      const said = text.trim().toLowerCase().replaceAll(/\s+/g, ' ')
      const result = await send(text, values)
      if (/^(begin|start transaction)/.test(said)) within = true
      else if (/^(commit|rollback)/.test(said)) [within, known] = [false, []]
      else if (!within) {
        if (!ALONE.test(said)) faults.push(`alone: ${said}`)
      } else {
        for (const { name, mode, patience } of (await send(held)).rows as Lock[]) {
          const lock = `${mode} on ${name}`
          if (known.includes(lock)) continue
          known.push(lock)
          if (!ADDED.test(said) || patience === '0') faults.push(`${lock}: ${said}`)
        }
      }
      return result
    }
    client.query = observe as never
  })
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  return {
    db,
    async close() {
      await db.destroy()
      const after = new Map((await files()).map(({ name, file }) => [name, file]))
      await session.close()
      const written = rows.filter(({ name, file }) => after.get(name) !== file)
      return [...faults, ...written.map(({ name }) => `all of ${name} was written anew`)]
    },
  }
}

/** MariaDB does not show metadata locks unasked; what a statement may take of them it can be told. */
const LETS_WRITE =
  /^(create table if not exists|alter table .*algorithm = inplace, lock = none$|select|show variables|set session|insert ignore into \S+migrations)/

async function observedMysql(uri: string): Promise<Observed> {
  const faults: string[] = []
  const log: (event: { query: { sql: string } }) => void = ({ query }) => {
    const said = query.sql.trim().toLowerCase().replaceAll(/\s+/g, ' ')
    if (!LETS_WRITE.test(said) && !ADDED.test(said)) faults.push(said)
  }
  const dialect = new MysqlDialect({ pool: mysql.createPool(uri) })
  const db = new Kysely<unknown>({ dialect, log: log as never })
  return {
    db,
    async close() {
      await db.destroy()
      return faults
    },
  }
}
