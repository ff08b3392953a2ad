import { type OwnServer, ownMariadb, ownPostgres, ownStandby } from '@tillkit/servers'
import mysql from 'mysql2/promise'
import pg from 'pg'
import type { DatabaseStorage } from '../../src/index.ts'
import { mysqlStorage } from '../../src/mysql/index.ts'
import { postgresStorage } from '../../src/postgres/index.ts'
import { PATIENT } from '../engines/address.ts'

/** Two servers, the second of which follows the first. */
export interface Followed {
  primary: OwnServer
  replica: OwnServer
  /** Has the replica follow no further. */
  pause(): Promise<void>
  goOn(): Promise<void>
  storage(maxLagSeconds: number): DatabaseStorage
}

async function followedPostgres(): Promise<Followed> {
  const primary = await ownPostgres()
  const replica = await ownStandby(primary, false)
  const tell = async (statement: string) => {
    const client = new pg.Client({ connectionString: replica.url })
    await client.connect()
    await client.query(statement)
    await client.end()
  }
  return {
    primary,
    replica,
    pause: () => tell('select pg_wal_replay_pause()'),
    goOn: () => tell('select pg_wal_replay_resume()'),
    storage: maxLagSeconds =>
      postgresStorage({
        connectionString: primary.url,
        replica: { connectionString: replica.url, maxLagSeconds },
        ...PATIENT,
      }),
  }
}

async function followedMariadb(): Promise<Followed> {
  const primary = await ownMariadb({ settings: { 'log-bin': 'log', 'server-id': '1' } })
  const replica = await ownMariadb({ settings: { 'server-id': '2' } })
  const tell = async (...statements: string[]) => {
    const connection = await mysql.createConnection(replica.url)
    for (const statement of statements) await connection.query(statement)
    await connection.end()
  }
  const { hostname, port, username } = new URL(primary.url)
  await tell(
    `change master to master_host = '${hostname}', master_port = ${port}, master_user = '${username}', master_use_gtid = slave_pos`,
    'start slave',
  )
  return {
    primary,
    replica,
    pause: () => tell('stop slave sql_thread'),
    goOn: () => tell('start slave sql_thread'),
    storage: maxLagSeconds =>
      mysqlStorage({ uri: primary.url, replica: { uri: replica.url, maxLagSeconds }, ...PATIENT }),
  }
}

export const FOLLOWERS: [name: string, start: () => Promise<Followed>][] = [
  ['PostgreSQL', followedPostgres],
  ['MariaDB', followedMariadb],
]
