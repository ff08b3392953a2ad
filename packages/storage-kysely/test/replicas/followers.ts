import { type OwnServer, ownMariadb, ownPostgres, ownStandby } from '@tillkit/servers'
import mysql from 'mysql2/promise'
import pg from 'pg'
import type { TimeLimits } from '../../src/connections/time-limits.ts'
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
  /** With the replica at another port than its own, where one is given. */
  storage(maxLagSeconds: number, limits?: TimeLimits, port?: number): DatabaseStorage
  /** The replica alone, as it is. */
  follower(): DatabaseStorage
  /** A number that grows as payments are read at the replica, a little later. */
  reads(): Promise<number>
}

function at({ url }: OwnServer, port?: number): string {
  const address = new URL(url)
  if (port !== undefined) address.port = `${port}`
  return address.href
}

async function followedPostgres(): Promise<Followed> {
  const primary = await ownPostgres()
  const replica = await ownStandby(primary, false)
  const tell = async (statement: string) => {
    const client = new pg.Client({ connectionString: replica.url })
    await client.connect()
    const { rows } = await client.query(statement)
    await client.end()
    return rows
  }
  return {
    primary,
    replica,
    pause: async () => void (await tell('select pg_wal_replay_pause()')),
    goOn: async () => void (await tell('select pg_wal_replay_resume()')),
    storage: (maxLagSeconds, limits = PATIENT, port) =>
      postgresStorage({
        connectionString: primary.url,
        replica: { connectionString: at(replica, port), maxLagSeconds },
        ...limits,
      }),
    follower: () => postgresStorage({ connectionString: replica.url, ...PATIENT }),
    async reads() {
      const [row] = await tell(
        "select idx_tup_fetch + seq_tup_read as count from pg_stat_all_tables where relname = 'tillkit_payments'",
      )
      return Number(row?.count)
    },
  }
}

async function followedMariadb(): Promise<Followed> {
  const primary = await ownMariadb({ settings: { 'log-bin': 'log', 'server-id': '1' } })
  const replica = await ownMariadb({
    settings: { 'server-id': '2', userstat: '1' },
  })
  const tell = async (...statements: string[]) => {
    const connection = await mysql.createConnection(replica.url)
    const answers: unknown[] = []
    for (const statement of statements) answers.push((await connection.query(statement))[0])
    await connection.end()
    return answers
  }
  const { hostname, port, username } = new URL(primary.url)
  await tell(
    `change master to master_host = '${hostname}', master_port = ${port}, master_user = '${username}', master_use_gtid = slave_pos, master_connect_retry = 1`,
    'start slave',
  )
  return {
    primary,
    replica,
    pause: async () => void (await tell('stop slave sql_thread')),
    goOn: async () => void (await tell('start slave sql_thread')),
    storage: (maxLagSeconds, limits = PATIENT, port) =>
      mysqlStorage({ uri: primary.url, replica: { uri: at(replica, port), maxLagSeconds }, ...limits }),
    follower: () => mysqlStorage({ uri: replica.url, ...PATIENT }),
    async reads() {
      const [rows] = await tell(
        "select sum(rows_read) as count from information_schema.table_statistics where table_name = 'tillkit_payments'",
      )
      return Number((rows as { count: string }[])[0]?.count)
    },
  }
}

export const FOLLOWERS: [name: string, start: () => Promise<Followed>][] = [
  ['PostgreSQL', followedPostgres],
  ['MariaDB', followedMariadb],
]
