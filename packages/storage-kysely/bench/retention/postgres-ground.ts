import { setTimeout as sleep } from 'node:timers/promises'
import { ownPostgres, PATIENT } from '@tillkit/servers'
import pg from 'pg'
import { postgresStorage } from '../../src/postgres/index.ts'
import { type Ground, MERCHANTS, RETRIED } from './ground.ts'

const key = `'m' || n % ${MERCHANTS} as merchant_id, n / ${MERCHANTS} + 1 as payment_id`
const at = `timestamptz '2026-01-01 00:00:00+00' + n * interval '250 milliseconds'`
const failed = `at - interval '60 seconds'`
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
  const isRetried = `n % ${RETRIED} = 0`
  const attempts = (number: number, first: number, last: number) =>
    client.query(`insert into tillkit_delivery_attempts (merchant_id, payment_id, number, began_at, status, milliseconds, error, answer)
      select merchant_id, payment_id, ${number}, ${number === 1 ? `${failed}, 503, 12, 'HTTP 503', 'later'` : `at, 200, 12, null, 'ok'`}
        from ${numbers(first, last)} where ${isRetried}`)
  const { rows } = await client.query('show server_version')

  return {
    version: `PostgreSQL ${rows[0].server_version}`,
    deliveries: storage.deliveries,
    async fill(first, last) {
      await client.query(`insert into tillkit_deliveries
          (merchant_id, payment_id, state, attempts, fence, last_attempt_at, last_status, created_at, lone_milliseconds, lone_answer)
        select merchant_id, payment_id, 'delivered', case when ${isRetried} then 2 else 1 end, 2, at, 200, at,
          case when ${isRetried} then null else 12 end, case when ${isRetried} then null else 'ok' end from ${numbers(first, last)}`)
      for (const number of [1, 2]) await attempts(number, first, last)
    },
    async deliver(first, last) {
      const given = numbers(first, last)
      await client.query(`insert into tillkit_deliveries
          (merchant_id, payment_id, state, attempts, fence, next_attempt_at, created_at)
        select merchant_id, payment_id, 'pending', 0, 1, at + interval '46 seconds', at from ${given}`)
      await client.query(`update tillkit_deliveries as d set attempts = 1, fence = d.fence + 1, next_attempt_at = at,
          last_attempt_at = ${failed}, last_status = 503, last_error = 'HTTP 503' from ${given} where ${isGiven} and ${isRetried}`)
      await attempts(1, first, last)
      await client.query(`update tillkit_deliveries as d set next_attempt_at = at + interval '46 seconds', fence = d.fence + 1
        from ${given} where ${isGiven} and ${isRetried}`)
      await client.query(`update tillkit_deliveries as d set state = 'delivered', attempts = d.attempts + 1, fence = d.fence + 1,
          next_attempt_at = null, last_attempt_at = at, last_status = 200, last_error = null,
          lone_milliseconds = case when d.attempts = 0 then 12 end, lone_answer = case when d.attempts = 0 then 'ok' end
        from ${given} where ${isGiven}`)
      await attempts(2, first, last)
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
