import { setTimeout as sleep } from 'node:timers/promises'
import { ownPostgres, PATIENT } from '@tillkit/servers'
import pg from 'pg'
import { postgresStorage } from '../../src/postgres/index.ts'
import { type Ground, MERCHANTS } from './ground.ts'

const key = `'m' || n % ${MERCHANTS} as merchant_id, n / ${MERCHANTS} + 1 as payment_id`
const at = `timestamptz '2026-01-01 00:00:00+00' + n * interval '250 milliseconds'`
const TABLES = ['tillkit_deliveries', 'tillkit_delivery_attempts']

/** The settings are PostgreSQL's own, but that it looks each second whether to vacuum, since a round is a day. */
export async function postgresGround(): Promise<Ground> {
  const settings = { autovacuum_naptime: '1s', max_wal_size: '8GB', synchronous_commit: 'off' }
  const server = await ownPostgres({ settings: { ...settings, shared_buffers: '512MB' } })
  // One connection: what it has counted is known when it says so.
  const pool = new pg.Pool({ connectionString: server.url, max: 1 })
  const storage = postgresStorage({ pool, ...PATIENT })
  await storage.migrate()
  const client = new pg.Client(server.url)
  await client.connect()
  // Statistics of a table that is filled while it is analyzed would have the whole of it read for each chunk.
  await client.query('set enable_hashjoin = off; set enable_mergejoin = off; set enable_seqscan = off')
  const numbers = (first: number, last: number) =>
    `(select ${key}, n, ${at} as at from generate_series(${first}, ${last}) as n) as given`
  const isGiven = 'd.merchant_id = given.merchant_id and d.payment_id = given.payment_id'
  const attempts = (first: number, last: number) =>
    client.query(`insert into tillkit_delivery_attempts (merchant_id, payment_id, number, began_at, status, milliseconds, answer)
      select merchant_id, payment_id, 1, at, 200, 12, 'ok' from ${numbers(first, last)}`)
  const { rows } = await client.query('show server_version')

  return {
    version: `PostgreSQL ${rows[0].server_version}`,
    deliveries: storage.deliveries,
    async fill(first, last) {
      await client.query(`insert into tillkit_deliveries
          (merchant_id, payment_id, state, attempts, fence, last_attempt_at, last_status, created_at)
        select merchant_id, payment_id, 'delivered', 1, 2, at, 200, at from ${numbers(first, last)}`)
      await attempts(first, last)
    },
    async deliver(first, last) {
      await client.query(`insert into tillkit_deliveries
          (merchant_id, payment_id, state, attempts, fence, next_attempt_at, created_at)
        select merchant_id, payment_id, 'pending', 0, 0, at, at from ${numbers(first, last)}`)
      await client.query(`update tillkit_deliveries as d set next_attempt_at = at + interval '46 seconds', fence = d.fence + 1
        from ${numbers(first, last)} where ${isGiven}`)
      await client.query(`update tillkit_deliveries as d set state = 'delivered', attempts = 1, fence = d.fence + 1,
          next_attempt_at = null, last_attempt_at = at, last_status = 200
        from ${numbers(first, last)} where ${isGiven}`)
      await attempts(first, last)
    },
    async holdBack(isHeld) {
      await client.query(`alter system set autovacuum = ${isHeld ? 'off' : 'on'}`)
      await client.query('select pg_reload_conf()')
    },
    async settled() {
      const isDirty = async () => {
        const { rows } = await client.query(
          `select exists (select from pg_stat_progress_vacuum) or exists (
             select from pg_stat_user_tables join pg_class on pg_class.oid = relid where pg_stat_user_tables.relname = any($1)
               and (n_dead_tup > 50 + 0.2 * reltuples or n_ins_since_vacuum > 1000 + 0.2 * reltuples)) as dirty`,
          [TABLES],
        )
        return rows[0].dirty
      }
      do await sleep(3000)
      while (await isDirty())
    },
    async pages() {
      await pool.query('select pg_stat_force_next_flush()')
      const { rows } = await client.query(
        `select sum(heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read)::bigint as pages
         from pg_statio_user_tables where relname = any($1)`,
        [TABLES],
      )
      return Number(rows[0].pages)
    },
    async sizes() {
      const { rows } = await client.query(
        `select name, pg_table_size(name::regclass) as own, pg_indexes_size(name::regclass) as indexes
         from unnest($1::text[]) as name`,
        [TABLES],
      )
      return rows.flatMap(({ name, own, indexes }) => [
        { name: name.slice('tillkit_'.length), bytes: Number(own) },
        { name: 'its indexes', bytes: Number(indexes) },
      ])
    },
    async close() {
      await client.end()
      await storage.close()
      await pool.end()
      await server.remove()
    },
  }
}
