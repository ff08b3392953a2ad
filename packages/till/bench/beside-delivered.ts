import { postgresStorage } from '@tillkit/storage-kysely/postgres'
import pg from 'pg'

// How long a claim of ten and its results take beside few and beside many deliveries that are done.
const connectionString = process.env.TILLKIT_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/test'
const MANY = Number(process.argv[2] ?? 1_000_000)
const [FEW, DUE, BATCH] = [1000, 3000, 10]
const schema = 'bench_beside'

async function secondsBeside(delivered: number): Promise<number> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  await client.query(`drop schema if exists ${schema} cascade; create schema ${schema}`)
  const storage = postgresStorage({ connectionString }, { schema })
  await storage.migrate()
  await storage.merchants.create({
    ...{ id: 'm', name: 'Shop', webhookUrl: 'https://shop.example/', createdAt: '2026-11-20T09:30:00.000Z' },
    features: { tips: false, userReferences: false, deviceLists: false },
  })
  const total = delivered + DUE
  await client.query(
    `insert into ${schema}.tillkit_payments (merchant_id, id, status, date, total_amount, scan_code, is_voucher, is_voucher_redemption, strict, extra)
       select 'm', n, 'completed', now(), 1250, 'till-1', false, false, false, '{}' from generate_series(1, ${total}) as n;
     insert into ${schema}.tillkit_deliveries (merchant_id, payment_id, state, attempts, fence, next_attempt_at, last_attempt_at, created_at)
       select 'm', n, case when n <= ${delivered} then 'delivered' else 'pending' end, 1, 2,
         case when n > ${delivered} then now() end, now(), now() from generate_series(1, ${total}) as n;
     analyze ${schema}.tillkit_payments; analyze ${schema}.tillkit_deliveries`,
  )
  await client.query('checkpoint')
  const took: number[] = []
  for (let done = 0; done < DUE; done += BATCH) {
    const at = new Date().toISOString()
    const began = performance.now()
    const held = await storage.deliveries.claim({
      now: at,
      leaseUntil: new Date(Date.now() + 60_000).toISOString(),
      limit: BATCH,
    })
    const attempt = { at, status: 200, milliseconds: 1, error: null, answer: null }
    await Promise.all(
      held.map(one =>
        storage.deliveries.record({ ...one, state: 'delivered', nextAttemptAt: null, attempt }),
      ),
    )
    took.push(performance.now() - began)
  }
  await storage.close()
  await client.query(`drop schema ${schema} cascade`)
  await client.end()
  return took.sort((a, b) => a - b)[Math.floor(took.length / 2)] ?? 0
}

const [few, many] = [await secondsBeside(FEW), await secondsBeside(MANY)]
console.log(`a claim of ${BATCH} and its results, medians of ${DUE / BATCH}:`)
console.log(
  `${few.toFixed(2)} ms beside ${FEW} delivered, ${many.toFixed(2)} ms beside ${MANY}: ratio ${(many / few).toFixed(2)}`,
)
