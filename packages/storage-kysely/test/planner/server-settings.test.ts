import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Storage } from '@tillkit/storage'
import { type CompiledQuery, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { kyselyStorage } from '../../src/index.ts'
import { type Address, hostDatabaseAt, PATIENT, placeOf, storageAt } from '../engines/address.ts'
import type { Engine } from '../engines/engine.ts'
import { overMariadb, overMysql, overPostgres } from '../engines/index.ts'
import { attempt } from '../faults/shop.ts'
import { BIG } from './fill.ts'
import { type FilledDatabase, openFilled } from './filled-database.ts'
import { mysqlMeter } from './mysql-meter.ts'
import { SCENES } from './scenes.ts'
import { plain } from './statements.ts'

const SIZE = { big: 8000, small: 2000, backlog: 0 }

/** More than any of these calls has to look at. */
const FEW = 1000

/** For what a server tells when it gets to it. */
const PATIENCE = { timeout: 60_000 }

const NOW = '2026-02-01T09:30:00.000Z'
const PAGE = { skip: 0, limit: 10 }

const CALLS: [name: string, call: (storage: Storage) => Promise<unknown>][] = [
  ['merchants', ({ merchants }) => merchants.list({ limit: 10 })],
  ['one payment', ({ payments }) => payments.get({ merchantId: BIG, id: 4000 })],
  ['the first page', ({ payments }) => payments.list(BIG, {}, PAGE)],
  ['completed ones', ({ payments }) => payments.list(BIG, { status: ['completed'] }, PAGE)],
  ['pending ones', ({ payments }) => payments.list(BIG, { status: ['pending'] }, PAGE)],
  ['those of a user', ({ payments }) => payments.list(BIG, { userReference: 'guest-7' }, PAGE)],
  ['those since', ({ payments }) => payments.list(BIG, { startDate: '2026-01-01T01:00:00Z' }, PAGE)],
  ['a start', ({ payments }) => payments.start(attempt({ merchantId: BIG, attemptKey: 'new' }), NOW)],
  [
    'an outcome said again',
    ({ payments }) => payments.resolve({ merchantId: BIG, id: 4000 }, { status: 'completed' }, NOW),
  ],
  ['a settlement said again', ({ payments }) => payments.settle(BIG, 'SEPA-24', [24, 54, 84])],
  [
    'a cash up',
    ({ cashUps }) =>
      cashUps.create(BIG, { reference: randomBytes(16).toString('hex'), idempotencyKey: null, now: NOW }),
  ],
  ['a requeue', ({ deliveries }) => deliveries.requeue({ merchantId: BIG, paymentId: 500 }, NOW)],
  [
    'a claim',
    ({ deliveries }) => deliveries.claim({ now: NOW, leaseUntil: '2026-02-01T09:31:00.000Z', limit: 10 }),
  ],
]

/** Joins that read a table whole for a page of another. */
const BY_HASHES = 'join_cache_hashed=on,join_cache_bka=on,mrr=on,mrr_cost_based=off,mrr_sort_keys=on'

/** A database that is analyzed as it is filled. */
function filledDatabase(engine: Engine, size = SIZE) {
  let filled: FilledDatabase
  beforeAll(async () => {
    filled = await openFilled(engine, size)
    for (const scene of SCENES.slice(0, SCENES.findIndex(({ analyzed }) => analyzed) + 1))
      await filled.reach(scene)
  }, 120_000)
  afterAll(() => filled?.close())
  return () => filled
}

interface Reads {
  scans: number
  /** Of those, the ones of a whole table. */
  whole: number
  rows: number
}

/** What each call has the server read, by a pool of Tillkit's own. */
async function readsOfCalls(address: Address): Promise<[name: string, reads: Reads][]> {
  const db = hostDatabaseAt(address)
  const read = async (): Promise<Reads> => {
    const { rows } = await sql<Record<keyof Reads, string>>`
      select sum(seq_scan + coalesce(idx_scan, 0)) as scans, sum(seq_scan) as whole,
        sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) as rows
      from pg_stat_user_tables where relname like 'tillkit_%'`.execute(db)
    const { scans, whole, rows: touched } = rows[0] as Record<keyof Reads, string>
    return { scans: Number(scans), whole: Number(whole), rows: Number(touched) }
  }
  const sessions = async () => {
    const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend'`.execute(db)
    return rows.map(({ pid }) => pid)
  }
  const reads: [string, Reads][] = []
  for (const [name, call] of CALLS) {
    const [before, others] = [await read(), await sessions()]
    const storage = storageAt(address)
    await call(storage)
    // A session that ends says what it has read, and is gone then.
    await storage.close()
    while ((await sessions()).some(pid => !others.includes(pid))) await sleep(5)
    await expect.poll(async () => (await read()).scans, PATIENCE).toBeGreaterThan(before.scans)
    const { scans, whole, rows } = await read()
    reads.push([name, { scans: scans - before.scans, whole: whole - before.whole, rows: rows - before.rows }])
  }
  await db.destroy()
  return reads
}

overPostgres(engine => {
  describe('a database that is set for other programs', () => {
    const filled = filledDatabase(engine)

    test.each([
      ['enable_indexscan = off', 'enable_bitmapscan = off', 'enable_indexonlyscan = off'],
      ['enable_nestloop = off'],
      ['random_page_cost = 100', 'effective_cache_size = 8'],
      ['seq_page_cost = 0', 'cpu_tuple_cost = 0', 'cpu_operator_cost = 0'],
    ])('%s: calls by a pool of Tillkit’s own read few rows', async (...settings) => {
      const { address } = filled()
      if (address.dialect !== 'postgres') throw new Error('not PostgreSQL')
      const db = hostDatabaseAt(address)
      const name = sql.id(new URL(address.connectionString).pathname.slice(1))
      for (const setting of settings) await sql`alter database ${name} set ${sql.raw(setting)}`.execute(db)
      const reads = await readsOfCalls(address)
      await sql`alter database ${name} reset all`.execute(db)
      await db.destroy()
      expect(reads.filter(([, { rows }]) => rows > FEW)).toEqual([])
    })
  })

  describe('a database of few merchants, which a planner would read whole', () => {
    const filled = filledDatabase(engine, { big: 4500, small: 300, backlog: 0 })

    test('no call by a pool of Tillkit’s own does', async () => {
      const reads = await readsOfCalls(filled().address)
      expect(reads.filter(([, { whole }]) => whole > 0)).toEqual([])
    })
  })
})

/** Tests that what the calls send reads few rows in a session of Tillkit's own, whatever its server says. */
function readsFew(engine: Engine, settings: string[]): void {
  describe('a server that is set for other programs', () => {
    const filled = filledDatabase(engine)

    test.each(settings)('%s: calls by a pool of Tillkit’s own read few rows', async setting => {
      const { address } = filled()
      if (address.dialect !== 'mysql') throw new Error('not MariaDB or MySQL')
      let queries: CompiledQuery[] = []
      const db = hostDatabaseAt(address, ({ query }) => {
        queries.push(query)
      })
      const storage = kyselyStorage(db, address.dialect, { ...PATIENT, ...placeOf(address) })
      const meter = await mysqlMeter(address, [setting])
      const found = []
      for (const [name, call] of CALLS) {
        queries = []
        await call(storage)
        for (const query of queries.filter(({ sql }) => /^(select|update) .*tillkit_/.test(sql))) {
          const parameters = query.parameters.map(plain)
          const { touched } = await meter.measure({ sql: query.sql, parameters, sent: parameters })
          if (touched > FEW) found.push({ name, touched, sql: query.sql })
        }
      }
      await meter.close()
      await db.destroy()
      expect(found).toEqual([])
    })
  })
}

overMysql(engine => readsFew(engine, ['eq_range_index_dive_limit = 1']))
overMariadb(engine =>
  readsFew(engine, [
    'optimizer_max_sel_arg_weight = 2',
    `join_cache_level = 8, optimizer_switch = '${BY_HASHES}'`,
  ]),
)
