import { setTimeout as sleep } from 'node:timers/promises'
import mysql from 'mysql2/promise'
import pg from 'pg'
import type { Address } from '../engines/address.ts'

/** A connection of the test's own, which gets in the way. */
export interface Session {
  run(statement: string): Promise<Record<string, unknown>[]>
  /** A table's full name. */
  table(name: string): string
  close(): Promise<void>
}

export async function openSession(address: Address): Promise<Session> {
  if (address.dialect === 'postgres') {
    const client = new pg.Client({ connectionString: address.connectionString })
    client.on('error', () => {})
    await client.connect()
    return {
      run: async statement => (await client.query(statement)).rows,
      table: name => `"${address.schema}".tillkit_${name}`,
      close: () => client.end(),
    }
  }
  if (address.dialect === 'sqlite') throw new Error('SQLite has no sessions')
  const connection = await mysql.createConnection(address.uri)
  return {
    run: async statement => (await connection.query(statement))[0] as Record<string, unknown>[],
    table: name => `tillkit_${name}`,
    close: () => connection.end(),
  }
}

/** What MariaDB's and MySQL's sessions are asked: MySQL 9 refuses all of it by its first name while one is asked for a character of four bytes. */
export const PROCESSES = '/*M! information_schema */ /*!80022 performance_schema */ . processlist'

/** A connection that waits for a lock, in a transaction that began `since`. */
export interface Waiting {
  id: number
  since: string
}

/** Waits until some connection to this database waits for a lock that `wanted` takes for the right one. */
export async function blocked(
  address: Address,
  wanted: (waiting: Waiting) => boolean = () => true,
): Promise<Waiting> {
  const session = await openSession(address)
  const statement =
    address.dialect === 'postgres'
      ? `select pid as id, xact_start::text as since from pg_stat_activity where wait_event_type = 'Lock' and query like '%${address.schema}%'`
      : `select trx_mysql_thread_id as id, cast(trx_started as char) as since from information_schema.innodb_trx
         join ${PROCESSES} on processlist.id = trx_mysql_thread_id
         where trx_state = 'LOCK WAIT' and db = database()`
  try {
    for (;;) {
      const rows = await session.run(statement)
      const waiting = rows.map(row => ({ id: Number(row.id), since: `${row.since}` })).find(wanted)
      if (waiting) return waiting
      // InnoDB shows anew what nobody has asked for in the last tenth of a second: two that ask by the same beat would never see it.
      await sleep(address.dialect === 'postgres' ? 5 : 120 + Math.random() * 480)
    }
  } finally {
    await session.close()
  }
}

/** Ends a connection from the server's side. */
export async function terminate(address: Address, id: number): Promise<void> {
  const session = await openSession(address)
  await session.run(address.dialect === 'postgres' ? `select pg_terminate_backend(${id})` : `kill ${id}`)
  await session.close()
}

/** The same database by way of another port. */
export function byPort(address: Address, port: number): Address {
  if (address.dialect === 'sqlite') throw new Error('SQLite has no port')
  const url = new URL(address.dialect === 'postgres' ? address.connectionString : address.uri)
  url.port = `${port}`
  return address.dialect === 'postgres'
    ? { ...address, connectionString: url.href }
    : { ...address, uri: url.href }
}

export function serverOf(address: Address): { host: string; port: number } {
  if (address.dialect === 'sqlite') throw new Error('SQLite has no server')
  const url = new URL(address.dialect === 'postgres' ? address.connectionString : address.uri)
  return { host: url.hostname, port: Number(url.port || (address.dialect === 'postgres' ? 5432 : 3306)) }
}
