import { type OwnServer, ownMariadb, ownPostgres, ownStandby } from '@tillkit/servers'
import mysql from 'mysql2'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DatabaseStorage } from '../../src/index.ts'
import { mysqlStorage } from '../../src/mysql/index.ts'
import { postgresStorage } from '../../src/postgres/index.ts'
import { PATIENT } from '../engines/address.ts'
import { found, of, REQUEST } from './checked.ts'
import { askMysql, askPostgres, startedOr } from './servers.ts'

/** Few connections, and transactions that may be prepared. */
const FEW = { max_connections: '20', superuser_reserved_connections: '3', max_prepared_transactions: '5' }

const postgres = await startedOr(() =>
  ownPostgres({ settings: { fsync: 'off', full_page_writes: 'off', autovacuum: 'off', ...FEW } }),
)
const mariadb = await startedOr(() =>
  ownMariadb({
    running: {
      'innodb-flush-log-at-trx-commit': '2',
      'innodb-doublewrite': 'OFF',
      'log-bin': 'binlog',
      'sync-binlog': '0',
    },
  }),
)
afterAll(async () => {
  await Promise.all([postgres.server?.remove(), mariadb.server?.remove()])
})

describe.skipIf(!postgres.server)(`PostgreSQL${postgres.why}`, () => {
  let url: string
  let storage: DatabaseStorage

  beforeAll(async () => {
    url = postgres.server?.url ?? ''
    storage = postgresStorage({ connectionString: url, ...PATIENT })
    await storage.migrate()
  })
  afterAll(() => storage.close())

  test('settings by which payments are lost', async () => {
    const inspected = await storage.inspect?.(REQUEST)
    expect(of(inspected, 'durability').map(says => says.split(':').slice(0, 2).join(':'))).toEqual([
      'problem: fsync is off',
      'problem: full_page_writes is off',
      'warning: autovacuum is off',
    ])
    expect(inspected?.settings).toMatchObject({
      fsync: 'off',
      synchronous_commit: 'on',
      max_connections: '20',
    })
    expect(of(inspected, 'server')).toEqual([expect.stringMatching(/^ok: PostgreSQL \d+.* takes writes/)])
  })

  test('a role whose commits do not wait for the disk', async () => {
    await askPostgres(url, `create role hasty login superuser; alter role hasty set synchronous_commit = off`)
    const hasty = postgresStorage({ connectionString: url.replace('postgres@', 'hasty@'), ...PATIENT })
    expect(await found(hasty, 'durability')).toContain(
      'problem: synchronous_commit is off: a crash of the server takes back payments that were acknowledged.',
    )
    await hasty.close()
  })

  test('a role that may not see what others are at', async () => {
    await askPostgres(url, 'create role modest login; grant select on all tables in schema public to modest')
    const modest = postgresStorage({ connectionString: url.replace('postgres@', 'modest@'), ...PATIENT })
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    expect(await found(modest, 'locks')).toContainEqual(
      expect.stringMatching(/^note: Of \d+ sessions? of other roles this role may not see what they are at/),
    )
    await client.end()
    await modest.close()
  })

  test('text that is kept in no encoding', async () => {
    await askPostgres(url, `create database bytes encoding 'SQL_ASCII' template template0 locale 'C'`)
    const bytes = postgresStorage({ connectionString: url.replace(/postgres$/, 'bytes'), ...PATIENT })
    await bytes.migrate()
    expect(await found(bytes, 'encoding')).toEqual([
      expect.stringMatching(/^problem: Text is kept in SQL_ASCII/),
    ])
    expect(await found(storage, 'encoding')).toEqual(['ok: Text is kept in UTF8.'])
    await bytes.close()
  })

  test('a pool that is larger than the server allows, and one that there is no room for', async () => {
    for (const [max, says] of [
      [100, /^problem: The server allows 17 connections, \d+ are in use, .* up to 100: it cannot have them/],
      [17, /^warning: The server allows 17 connections, \d+ are in use, .* no room for another process/],
      [2, /^ok: The server allows 17 connections/],
    ] as const) {
      const pool = new pg.Pool({ connectionString: url, max })
      const one = postgresStorage({ pool, ...PATIENT })
      await one.migrated?.()
      expect(await found(one, 'connections')).toEqual([expect.stringMatching(says)])
      await one.close()
      await pool.end()
    }
  })

  test('a transaction that was prepared for a commit in two phases and forgotten', async () => {
    await askPostgres(url, `begin; create table forgotten (id int); prepare transaction 'forgotten'`)
    expect(await found(storage, 'locks', { longTransactionSeconds: 0 })).toContainEqual(
      expect.stringMatching(/^warning: 1 transaction prepared for a commit in two phases/),
    )
    await askPostgres(url, `rollback prepared 'forgotten'`)
  })

  test('a standby', async () => {
    const standby = await ownStandby(postgres.server as OwnServer, false, { settings: FEW })
    const one = postgresStorage({ connectionString: standby.url, ...PATIENT })
    expect(await found(one, 'server')).toEqual(['problem: The server is a standby, and takes no writes.'])
    expect(await one.migrated?.()).toBe(true)
    await one.close()
    await standby.remove()
  })
})

describe.skipIf(!postgres.server)(`PostgreSQL whose commits wait for a standby${postgres.why}`, () => {
  test('as many standbys as commits wait for, more, and fewer', async () => {
    const primary = await ownPostgres()
    const storage = postgresStorage({ connectionString: primary.url, ...PATIENT })
    await storage.migrate()
    expect(await found(storage, 'standbys')).toEqual([])
    const standby = await ownStandby(primary, true)
    const says = 'Commits wait for 1 of the standbys in synchronous_standby_names, 1 of which follow'
    await expect
      .poll(() => found(storage, 'standbys'), { timeout: 60_000 })
      .toEqual([`warning: ${says}: when one is lost no write ends.`])
    await standby.stop()
    await expect
      .poll(() => found(storage, 'standbys'), { timeout: 60_000 })
      .toEqual([expect.stringMatching(/^problem: .* 0 of which follow: no write ends\.$/)])
    await askPostgres(primary.url, "alter system set synchronous_standby_names = ''")
    await askPostgres(primary.url, 'select pg_reload_conf()')
    await storage.close()
    await standby.remove()
    await primary.remove()
  })
})

describe.skipIf(!mariadb.server)(`MariaDB${mariadb.why}`, () => {
  let url: string
  let storage: DatabaseStorage

  beforeAll(async () => {
    url = mariadb.server?.url ?? ''
    storage = mysqlStorage({ uri: url, ...PATIENT })
    await storage.migrate()
  })
  afterAll(() => storage.close())

  test('settings by which payments are lost', async () => {
    const inspected = await storage.inspect?.(REQUEST)
    expect(of(inspected, 'durability').map(says => says.split(':').slice(0, 2).join(':'))).toEqual([
      'problem: innodb_flush_log_at_trx_commit is 2',
      'problem: innodb_doublewrite is off',
      'warning: sync_binlog is 0',
    ])
    expect(inspected?.settings).toMatchObject({ innodb_flush_log_at_trx_commit: '2', sync_binlog: '0' })
    expect(of(inspected, 'server')).toEqual([expect.stringMatching(/^ok: MariaDB \d+.* takes writes/)])
    await askMysql(url, 'set global innodb_flush_log_at_trx_commit = 1')
    expect((await found(storage, 'durability'))[0]).toMatch(/doublewrite/)
  })

  test('a server that is read-only', async () => {
    await askMysql(url, 'set global read_only = 1')
    expect(await found(storage, 'server')).toEqual(['problem: The server is read-only, and takes no writes.'])
    await askMysql(url, 'set global read_only = 0')
  })

  test('tables that somebody has changed: what is said to be run puts them right', async () => {
    await askMysql(url, 'alter table tillkit_payment_blocks engine = MyISAM')
    await askMysql(
      url,
      'alter table tillkit_scan_codes convert to character set utf8mb4 collate utf8mb4_general_ci',
    )
    await askMysql(
      url,
      'alter table tillkit_cash_ups modify reference varchar(255) collate utf8mb4_unicode_ci not null',
    )
    const tables = (await storage.inspect?.(REQUEST))?.findings.filter(
      ({ check, level }) => check === 'tables' && level !== 'ok',
    )
    expect(tables?.map(({ says }) => says)).toEqual([
      'The table tillkit_payment_blocks is of the engine MyISAM: what fails half way stays half done.',
      'The table tillkit_cash_ups compares text by utf8mb4_unicode_ci: two references that differ may count as one.',
      'The table tillkit_scan_codes compares text by utf8mb4_general_ci: two references that differ may count as one.',
    ])
    for (const { advice } of tables ?? []) await askMysql(url, advice?.replace(/^Run: /, '') ?? '')
    expect(await found(storage, 'tables')).toEqual([expect.stringMatching(/^ok: /)])
  })

  test('a pool that is larger than the server allows', async () => {
    const pool = mysql.createPool({ uri: url, connectionLimit: 10_000, charset: 'UTF8MB4_UNICODE_CI' })
    const one = mysqlStorage({ pool, ...PATIENT })
    await one.migrated?.()
    expect(await found(one, 'connections')).toEqual([
      expect.stringMatching(/^problem: .* up to 10000: it cannot/),
    ])
    await one.close()
    await new Promise(resolve => pool.end(resolve))
  })

  test('whoever waits for a table that a transaction holds', async () => {
    const holder = mysql.createConnection(url).promise()
    await holder.query('begin')
    await holder.query('select * from tillkit_scan_codes')
    const waiting = askMysql(url, 'alter table tillkit_scan_codes comment = "mine"')
    waiting.catch(() => {})
    await expect
      .poll(() => found(storage, 'locks', { longTransactionSeconds: 0 }), { timeout: 60_000 })
      .toContainEqual(
        expect.stringMatching(/^problem: 1 session waits for a table that another session holds/),
      )
    await holder.query('rollback')
    await waiting
    await holder.end()
  })

  test('a user who may not see others’ transactions', async () => {
    for (const user of ['modest@localhost', `modest@'127.0.0.1'`]) {
      await askMysql(url, `create user ${user} identified by ''`)
      await askMysql(url, `grant select on test.* to ${user}`)
    }
    const modest = mysqlStorage({ uri: url.replace('root@', 'modest@'), ...PATIENT })
    expect(await found(modest, 'locks')).toEqual([
      expect.stringMatching(/^note: This could not be looked at: /),
    ])
    await modest.close()
  })
})
