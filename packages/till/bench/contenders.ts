import { postgresStorage } from '@tillkit/storage-kysely/postgres'
import { createTill } from '@tillkit/till'
import { Logger, makeWorkerUtils, run } from 'graphile-worker'
import pg from 'pg'
import PgBoss from 'pg-boss'
import { Agent, request } from 'undici'

const CONCURRENCY = 64
const BODY = `payload=${encodeURIComponent(JSON.stringify({ id: 1, status: 'completed', extra: {}, rest: 'x'.repeat(400) }))}`

/** Something that delivers `count` webhooks which wait in a database. */
export interface Contender {
  name: string
  /** Writes what is to be delivered. */
  fill(count: number): Promise<void>
  /** Starts to deliver. */
  start(): Promise<void>
  /** Stops, and makes sure that nothing is left to be done. */
  stop(): Promise<void>
}

const agent = new Agent({ connections: CONCURRENCY, pipelining: 1 })

async function post(url: string): Promise<void> {
  const { body, statusCode } = await request(url, {
    method: 'POST',
    body: BODY,
    dispatcher: agent,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  await body.dump()
  if (statusCode >= 300) throw new Error(`answered ${statusCode}`)
}

/** Each merchant has a receiver of its own to share the window with, as in life. */
export function tillkit(connectionString: string, urls: string[]): Contender {
  const schema = 'bench_tillkit'
  const storage = postgresStorage({ connectionString }, { schema })
  const till = createTill({
    storage,
    webhooks: { allowHttp: true, allowPrivateAddresses: true, concurrency: CONCURRENCY },
  })
  return {
    name: 'Tillkit',
    async fill(count) {
      await query(connectionString, `drop schema if exists ${schema} cascade; create schema ${schema}`)
      await storage.migrate()
      for (const [n, webhookUrl] of urls.entries()) {
        await till.merchants.create({ id: `m${n}`, name: 'Shop', webhookUrl })
        await till.merchants.issueWebhookKey(`m${n}`)
      }
      const from = `generate_series(1, ${count}) as n`
      const merchant = `'m' || (n % ${urls.length})`
      await query(
        connectionString,
        `insert into ${schema}.tillkit_payments (merchant_id, id, status, date, total_amount, scan_code, is_voucher, is_voucher_redemption, strict, extra)
           select ${merchant}, n, 'completed', now(), 1250, 'till-1', false, false, false, jsonb_build_object('rest', repeat('x', 400)) from ${from};
         insert into ${schema}.tillkit_deliveries (merchant_id, payment_id, state, attempts, fence, next_attempt_at, created_at)
           select ${merchant}, n, 'pending', 0, 0, now(), now() from ${from};
         analyze ${schema}.tillkit_payments; analyze ${schema}.tillkit_deliveries`,
      )
    },
    start: async () => till.webhooks.start(),
    async stop() {
      await till.close()
      const { pending } = await till.webhooks.counts()
      if (pending > 0) throw new Error(`${pending} are left`)
      await storage.close()
    },
  }
}

/** Fetched and completed in batches by several loops: its own `work` waits between batches. */
export function pgBoss(connectionString: string, urls: string[]): Contender {
  const boss = new PgBoss({ connectionString, schema: 'bench_boss' })
  let running = true
  let loops: Promise<void>[] = []
  const loop = async () => {
    while (running) {
      const jobs = await boss.fetch<{ url: string }>('hooks', { batchSize: CONCURRENCY / 2 })
      await Promise.all(jobs.map(({ data }) => post(data.url)))
      if (jobs.length > 0)
        await boss.complete(
          'hooks',
          jobs.map(({ id }) => id),
        )
    }
  }
  return {
    name: 'pg-boss 11',
    async fill(count) {
      await query(connectionString, 'drop schema if exists bench_boss cascade')
      await boss.start()
      await boss.createQueue('hooks')
      for (let n = 0; n < count; n += 1000) {
        const jobs = Array.from({ length: Math.min(1000, count - n) }, (_, i) => ({
          name: 'hooks',
          data: { url: urls[(n + i) % urls.length] ?? '' },
        }))
        await boss.insert('hooks', jobs)
      }
    },
    async start() {
      loops = Array.from({ length: 4 }, loop)
    },
    async stop() {
      running = false
      await Promise.all(loops)
      await boss.stop({ graceful: false })
    },
  }
}

export function graphileWorker(connectionString: string, urls: string[]): Contender {
  const schema = 'bench_graphile'
  let runner: Awaited<ReturnType<typeof run>> | undefined
  return {
    name: 'graphile-worker 0.16',
    async fill(count) {
      await query(connectionString, `drop schema if exists ${schema} cascade`)
      const utils = await makeWorkerUtils({ connectionString, schema })
      await utils.migrate()
      for (let n = 0; n < count; n += 1000) {
        await query(
          connectionString,
          `select ${schema}.add_jobs(array(select json_populate_record(null::${schema}.job_spec, json_build_object(
             'identifier', 'hook', 'payload', json_build_object('url', (array['${urls.join("','")}'])[1 + n % ${urls.length}])))
           from generate_series(${n + 1}, ${Math.min(n + 1000, count)}) as n))`,
        )
      }
      await utils.release()
    },
    async start() {
      runner = await run({
        connectionString,
        schema,
        concurrency: CONCURRENCY,
        noHandleSignals: true,
        logger: new Logger(() => () => {}),
        taskList: { hook: async payload => post((payload as { url: string }).url) },
      })
    },
    stop: async () => runner?.stop(),
  }
}

/** Leaves the database as it was. */
export async function dropSchemas(connectionString: string): Promise<void> {
  for (const schema of ['bench_tillkit', 'bench_boss', 'bench_graphile']) {
    await query(connectionString, `drop schema if exists ${schema} cascade`)
  }
}

async function query(connectionString: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  await client.query(text).finally(() => client.end())
}
