import { ownPostgres, PATIENT } from '@tillkit/servers'
import { postgresStorage } from '@tillkit/storage-kysely/postgres'
import pg from 'pg'
import type { Counted, Ground } from './ground.ts'

/** A server of its own, so that nobody else's work is counted. */
export async function postgresGround(): Promise<Ground> {
  const server = await ownPostgres()
  const client = new pg.Client(server.url)
  await client.connect()
  const storage = postgresStorage({ connectionString: server.url })
  await storage.migrate()
  await storage.close()
  const { rows } = await client.query('show server_version')
  return {
    version: `PostgreSQL ${rows[0].server_version}`,
    dialect: 'postgres',
    url: server.url,
    async prepare({ urls, payments }) {
      await client.query(
        `insert into tillkit_merchants (id, name, webhook_url, tips, user_references, device_lists, created_at)
         select 'm' || n, 'Shop', url, false, false, false, now() from unnest($1::text[]) with ordinality as given (url, n)`,
        [urls],
      )
      await client.query(
        `insert into tillkit_payments (merchant_id, id, status, date, total_amount, scan_code, is_voucher, is_voucher_redemption, strict, extra)
         select m.id, n, 'completed', now(), 1250, 'till-1', false, false, false, '{}'
         from tillkit_merchants as m, generate_series(1, $1::int) as n`,
        [payments],
      )
    },
    async fill() {
      await client.query(`truncate tillkit_deliveries, tillkit_delivery_attempts, tillkit_failing_endpoints`)
      await client.query(
        `insert into tillkit_deliveries (merchant_id, payment_id, state, attempts, fence, next_attempt_at, created_at)
         select merchant_id, id, 'pending', 0, 0, now() - random() * interval '1 minute', now() from tillkit_payments`,
      )
      await client.query('vacuum analyze')
      await client.query('checkpoint')
    },
    async read() {
      await client.query('select pg_stat_clear_snapshot()')
      const { rows } = await client.query(
        `select idx_tup_read as entries, idx_blks_hit + idx_blks_read as pages
         from pg_stat_user_indexes join pg_statio_user_indexes using (indexrelid)
         where pg_stat_user_indexes.indexrelname = 'tillkit_deliveries_due'`,
      )
      return { entries: Number(rows[0].entries), pages: Number(rows[0].pages) }
    },
    async close() {
      await client.end()
      await server.remove()
    },
  }
}

export function countedPostgres(connectionString: string): Counted {
  let sent = 0
  const plain = pg.Client.prototype.query as (...given: unknown[]) => unknown
  const counting = function (this: pg.Client, ...given: unknown[]) {
    sent++
    return plain.apply(this, given)
  }
  Object.assign(pg.Client.prototype, { query: counting })
  return { storage: postgresStorage({ connectionString, ...PATIENT }), sent: () => sent }
}
