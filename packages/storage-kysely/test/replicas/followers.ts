import { type OwnServer, ownMariadb, ownMysql, ownPostgres, ownStandby } from '@tillkit/servers'
import mysql from 'mysql2/promise'
import pg from 'pg'
import type { TimeLimits } from '../../src/connections/limits/time-limits.ts'
import type { DatabaseStorage } from '../../src/index.ts'
import { mysqlStorage } from '../../src/mysql/index.ts'
import { postgresStorage } from '../../src/postgres/index.ts'
import { PATIENT } from '../engines/address.ts'
import { startProxy } from '../faults/proxy.ts'

const MYSQLD = process.env.TILLKIT_MYSQLD

/** Two servers, the second of which follows the first. */
export interface Followed {
  primary: OwnServer
  replica: OwnServer
  /** Has the replica follow no further. */
  pause(): Promise<void>
  goOn(): Promise<void>
  /** Has the log of the first go on by much. */
  hurry(): Promise<void>
  /** Makes a database at the first. */
  create(database: string): Promise<void>
  /** With another replica, where one is given, and at another address of the first. */
  storage(maxLagSeconds?: number, limits?: TimeLimits, copy?: string, first?: string): DatabaseStorage
  /** What is at an address alone; the replica as it is, where none is given. */
  alone(address?: string): DatabaseStorage
  /** A number that grows as payments are read at the replica, a little later. */
  reads(): Promise<number>
}

export async function tellPostgres(connectionString: string, statement: string) {
  const client = new pg.Client({ connectionString })
  await client.connect()
  const { rows } = await client.query(statement)
  await client.end()
  return rows
}

export async function tellMysql(uri: string, ...statements: string[]) {
  const connection = await mysql.createConnection(uri)
  const answers: unknown[] = []
  for (const statement of statements) answers.push((await connection.query(statement))[0])
  await connection.end()
  return answers
}

/** Has a server follow another one. */
async function followMariadb(replica: OwnServer, primary: OwnServer): Promise<void> {
  const { hostname, port, username } = new URL(primary.url)
  await tellMysql(
    replica.url,
    `change master to master_host = '${hostname}', master_port = ${port}, master_user = '${username}', master_use_gtid = slave_pos, master_connect_retry = 1`,
    'start slave',
  )
}

async function followedPostgres(): Promise<Followed> {
  const primary = await ownPostgres()
  const replica = await ownStandby(primary, false)
  const tell = (statement: string) => tellPostgres(replica.url, statement)
  return {
    primary,
    replica,
    pause: async () => void (await tell('select pg_wal_replay_pause()')),
    goOn: async () => void (await tell('select pg_wal_replay_resume()')),
    hurry: async () => void (await tellPostgres(primary.url, 'select pg_switch_wal()')),
    create: async database => void (await tellPostgres(primary.url, `create database ${database}`)),
    storage: (maxLagSeconds, limits = PATIENT, copy = replica.url, first = primary.url) =>
      postgresStorage({
        connectionString: first,
        replica: { connectionString: copy, maxLagSeconds },
        ...limits,
      }),
    alone: (address = replica.url) => postgresStorage({ connectionString: address, ...PATIENT }),
    async reads() {
      const [row] = await tell(
        "select idx_tup_fetch + seq_tup_read as count from pg_stat_all_tables where relname = 'tillkit_payments'",
      )
      return Number(row?.count)
    },
  }
}

/** What MariaDB and MySQL are asked alike; `count` is how many rows of payments the replica has read. */
function overMysql(primary: OwnServer, replica: OwnServer, count: string) {
  return {
    primary,
    replica,
    create: async database => void (await tellMysql(primary.url, `create database ${database}`)),
    storage: (maxLagSeconds, limits = PATIENT, copy = replica.url, first = primary.url) =>
      mysqlStorage({ uri: first, replica: { uri: copy, maxLagSeconds }, ...limits }),
    alone: (address = replica.url) => mysqlStorage({ uri: address, ...PATIENT }),
    async reads() {
      const [rows] = await tellMysql(replica.url, count)
      return Number((rows as { count: string }[])[0]?.count)
    },
  } satisfies Partial<Followed>
}

async function followedMariadb(): Promise<Followed> {
  const primary = await ownMariadb({ settings: { 'log-bin': 'log', 'server-id': '1' } })
  const replica = await ownMariadb({
    settings: { 'server-id': '2', userstat: '1' },
  })
  const tell = (...statements: string[]) => tellMysql(replica.url, ...statements)
  await followMariadb(replica, primary)
  return {
    ...overMysql(
      primary,
      replica,
      "select sum(rows_read) as count from information_schema.table_statistics where table_name = 'tillkit_payments'",
    ),
    pause: async () => void (await tell('stop slave sql_thread')),
    goOn: async () => void (await tell('start slave sql_thread')),
    hurry: async () =>
      void (await tellMysql(primary.url, 'set gtid_seq_no = 1000000', 'create database hurried')),
  }
}

async function followedMysql(): Promise<Followed> {
  const serverOf = (id: number) =>
    ownMysql({
      program: MYSQLD ?? '',
      running: { 'server-id': `${id}`, 'gtid-mode': 'ON', 'enforce-gtid-consistency': 'ON' },
    })
  const [primary, replica] = await Promise.all([serverOf(1), serverOf(2)])
  const { hostname, port, username } = new URL(primary.url)
  await tellMysql(
    replica.url,
    `change replication source to source_host = '${hostname}', source_port = ${port}, source_user = '${username}', source_auto_position = 1, get_source_public_key = 1, source_connect_retry = 1`,
    'start replica',
  )
  return {
    ...overMysql(
      primary,
      replica,
      "select sum(count_read) as count from performance_schema.table_io_waits_summary_by_table where object_name = 'tillkit_payments'",
    ),
    pause: async () => void (await tellMysql(replica.url, 'stop replica sql_thread')),
    goOn: async () => void (await tellMysql(replica.url, 'start replica sql_thread')),
    hurry: async () => {},
  }
}

export const FOLLOWERS: [name: string, start: () => Promise<Followed>, missing?: string | undefined][] = [
  ['PostgreSQL', followedPostgres],
  ['MariaDB', followedMariadb],
  ['MySQL', followedMysql, MYSQLD ? undefined : 'TILLKIT_MYSQLD names no server program of MySQL'],
]

/** A server, one that is to take over from it, and one that has got more of the first than that one. */
export interface Succession {
  heir: OwnServer
  replica: OwnServer
  /** The first, and once it is gone its heir; the replica besides. */
  storage(): DatabaseStorage
  /** What is at an address alone. */
  alone(address: string): DatabaseStorage
  /** Has the heir follow no further, and the replica alone get what comes. */
  part(): Promise<void>
  /** The first ends, and its heir takes over. */
  takeOver(): Promise<void>
  remove(): Promise<void>
}

async function succeededPostgres(): Promise<Succession> {
  const primary = await ownPostgres()
  const replica = await ownStandby(primary, false)
  // A standby is made where no other one follows.
  await replica.stop()
  const heir = await ownStandby(primary, false)
  await replica.start()
  const both = primary.url.replace(/\/postgres$/, `,${new URL(heir.url).host}/postgres`)
  return {
    heir,
    replica,
    storage: () =>
      postgresStorage({
        connectionString: `${both}?target_session_attrs=read-write`,
        replica: { connectionString: replica.url, maxLagSeconds: 3600 },
        ...PATIENT,
      }),
    alone: connectionString => postgresStorage({ connectionString, ...PATIENT }),
    async part() {
      await heir.stop()
      await tellPostgres(primary.url, 'select pg_switch_wal()')
    },
    async takeOver() {
      await primary.kill()
      await heir.start()
      await heir.promote()
    },
    remove: async () => void (await Promise.all([primary, heir, replica].map(server => server.remove()))),
  }
}

async function succeededMariadb(): Promise<Succession> {
  const serverOf = (id: number) => ownMariadb({ settings: { 'log-bin': 'log', 'server-id': `${id}` } })
  const [primary, heir, replica] = await Promise.all([serverOf(1), serverOf(2), serverOf(3)])
  for (const follower of [heir, replica]) await followMariadb(follower, primary)
  const serverAt = ({ url }: OwnServer) => ({ host: new URL(url).hostname, port: Number(new URL(url).port) })
  // Who has the address is led to the heir.
  const led = serverAt(primary)
  const proxy = await startProxy(led)
  return {
    heir,
    replica,
    storage: () =>
      mysqlStorage({
        uri: Object.assign(new URL(primary.url), { port: `${proxy.port}` }).href,
        replica: { uri: replica.url, maxLagSeconds: 3600 },
        ...PATIENT,
      }),
    alone: uri => mysqlStorage({ uri, ...PATIENT }),
    async part() {
      await tellMysql(heir.url, 'stop slave', 'reset slave all')
      await tellMysql(primary.url, 'set gtid_seq_no = 1000000', 'create database hurried')
    },
    async takeOver() {
      await primary.kill()
      Object.assign(led, serverAt(heir))
    },
    async remove() {
      await proxy.close()
      await Promise.all([primary, heir, replica].map(server => server.remove()))
    },
  }
}

export const SUCCESSIONS: [name: string, start: () => Promise<Succession>][] = [
  ['PostgreSQL', succeededPostgres],
  ['MariaDB', succeededMariadb],
]
