import type { Storage } from '@tillkit/storage'
import pg from 'pg'
import { postgresStorage } from '../src/postgres/index.ts'
import { type Contender, contenderOf } from './contender.ts'
import { compare } from './measure.ts'

const connectionString = process.env.TILLKIT_CITUS_URL
if (!connectionString) throw new Error('TILLKIT_CITUS_URL must name the coordinator of a Citus cluster')

const MERCHANTS = Array.from({ length: 100 }, (_, n) => `merchant-${n}`)
const [BIG = '', ...SMALL] = MERCHANTS
const PAYMENTS = 2000
const NOW = '2026-11-20T09:30:00.000Z'

/** A store, and what Citus itself makes of the least that a read by id can be. */
interface Laid extends Contender {
  byHand(id: number): Promise<unknown>
}

/** The same tables of the same server, on it alone or over its workers, each with the same merchants. */
async function open(layout: 'plain' | 'distributed') {
  const schema = `tillkit_bench_${layout}`
  const pool = new pg.Pool({ connectionString, max: 20 })
  await pool.query(`drop schema if exists ${schema} cascade`)
  await pool.query(`create schema ${schema}`)
  const storage = postgresStorage({ connectionString }, { schema })
  await storage.migrate()
  if (layout === 'distributed') await storage.distribute()
  await fill(storage)
  const text = `select id, status, total_amount from ${schema}.tillkit_payments where merchant_id = $1 and id = $2`
  const contender: Laid = {
    ...contenderOf(storage, BIG),
    byHand: id => pool.query({ name: 'by id', text, values: [BIG, id] }),
  }
  return {
    contender,
    async close() {
      await storage.close()
      await pool.query(`drop schema ${schema} cascade`)
      await pool.end()
    },
  }
}

async function fill(storage: Storage): Promise<void> {
  const features = { tips: true, userReferences: true, deviceLists: false }
  for (const id of MERCHANTS) {
    await storage.merchants.create({ id, name: id, webhookUrl: null, features, createdAt: NOW })
  }
  const { start, complete } = contenderOf(storage, BIG)
  const pay = async () => complete(BIG, await start(BIG))
  for (let n = 0; n < PAYMENTS; n += 100) await Promise.all(Array.from({ length: 100 }, pay))
}

const plain = await open('plain')
const distributed = await open('distributed')

const anyId = () => 1 + Math.floor(Math.random() * PAYMENTS)
const pay = (merchantId: () => string) => (contender: Contender) => async () => {
  const owner = merchantId()
  await contender.complete(owner, await contender.start(owner))
}
const anyOf = (ids: string[]) => ids[Math.floor(Math.random() * ids.length)] ?? ''
const OPERATIONS: [name: string, work: (contender: Laid) => () => Promise<unknown>][] = [
  ['three columns by key, by hand', c => () => c.byHand(anyId())],
  ['one payment by id', c => () => c.byId(anyId())],
  ['page 1', c => () => c.page(0)],
  ['status=completed, page 1', c => () => c.completed(0)],
  ['start + complete, one merchant', pay(() => BIG)],
  ['start + complete, 99 merchants', pay(() => anyOf(SMALL))],
]

console.log(
  '| a second                       | at once | distributed | on one server | ratio |\n|---|---|---|---|---|',
)
for (const [name, work] of OPERATIONS) {
  for (const lanes of [32, 1]) {
    const { ours, byHand, ratio } = await compare(work(distributed.contender), work(plain.contender), lanes)
    const figures = [lanes, ours.toFixed(0), byHand.toFixed(0), ratio.toFixed(2)]
    console.log(`| ${name.padEnd(30)} | ${figures.join(' | ')} |`)
  }
}
await plain.close()
await distributed.close()
