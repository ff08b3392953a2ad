import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { CompiledQuery } from 'kysely'
import { migrateTo } from '../src/migrations/migrate.ts'
import { hostDatabaseAt, storageAt } from '../test/engines/address.ts'
import { mysqlEngine } from '../test/engines/mysql.ts'
import { postgresEngine } from '../test/engines/postgres.ts'
import {
  type FirstVersion,
  firstVersionAt,
  openFirstShop,
} from '../test/migrations/versions/first-version.ts'
import { BIG, fillStatements } from './fill.ts'

const OPEN = { postgres: postgresEngine, mysql: mysqlEngine }
type Name = keyof typeof OPEN

const LANES = 4

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rows: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '10' },
    'payments-alone': { type: 'boolean', default: false },
  },
})
const [rows, seconds] = [Number(values.rows), Number(values.seconds)]
const alone = values['payments-alone']

for (const name of (positionals.length > 0 ? positionals : Object.keys(OPEN)) as Name[]) {
  const engine = await OPEN[name]()
  const { address, drop } = await engine.create()
  const db = hostDatabaseAt(address)
  await migrateTo(db, name, {}, '0001-initial')
  const table = (of: string) => `tillkit_${of}`
  const run = async (statement: string) => (await db.executeQuery(CompiledQuery.raw(statement))).rows
  const indexes = name === 'postgres' ? await dropIndexes(run) : []
  const deliveries = alone ? [] : [deliveriesOf(table)]
  for (const statement of [...fillStatements(name, rows, table), ...deliveries, ...indexes]) {
    await run(statement)
  }
  await openFirstShop(address)

  const shops = await Promise.all(Array.from({ length: LANES }, () => firstVersionAt(address)))
  const writes = { done: 0, longest: 0, over: false }
  const lanes = Promise.all(shops.map(shop => write(shop, writes)))
  const before = await rateWhile(writes, () => sleep(seconds * 1000))
  console.log(
    `\n${engine.name}, ${rows} payments${alone ? '' : ' and their deliveries'}, ${LANES} processes of the first version\n`,
  )
  const storage = storageAt(address)
  let began = performance.now()
  const during = await rateWhile(writes, () =>
    storage.migrate({
      onProgress({ migration, step, index, done, total, phase }) {
        if (phase !== null || index === null) return
        if (done === 0) began = performance.now()
        else if (done === total) {
          console.log(`${migration} ${step} ${index}: ${((performance.now() - began) / 1000).toFixed(1)} s`)
        }
      },
    }),
  )
  writes.over = true
  await lanes
  console.log(
    `\nin all ${during.seconds.toFixed(1)} s; starts and outcomes a second ${before.rate.toFixed(0)} before, ${during.rate.toFixed(0)} meanwhile (${(during.rate / before.rate).toFixed(2)}); the longest ${before.longest.toFixed(0)} ms before, ${during.longest.toFixed(0)} ms meanwhile`,
  )
  for (const shop of shops) await shop.close()
  await storage.close()
  await db.destroy()
  await drop()
  await engine.close?.()
}

/** Drops all indexes but those of keys, since rows are sooner written without, and resolves to the statements that make them. */
async function dropIndexes(run: (statement: string) => Promise<unknown[]>): Promise<string[]> {
  const dropped = (await run(`select i.indexrelid::regclass as name, pg_get_indexdef(i.indexrelid) as made
    from pg_index as i join pg_class as t on t.oid = i.indrelid
    where t.relnamespace = (select oid from pg_namespace where nspname = current_schema()) and not exists (select from pg_constraint where conindid = i.indexrelid)`)) as {
    name: string
    made: string
  }[]
  for (const { name } of dropped) await run(`drop index ${name}`)
  return dropped.map(({ made }) => made)
}

/** A delivery of each payment that has its outcome, almost all delivered. */
function deliveriesOf(table: (name: string) => string): string {
  return `insert into ${table('deliveries')} (merchant_id, payment_id, state, attempts, fence, next_attempt_at, last_attempt_at, last_status, created_at)
    select merchant_id, id, case when id % 1000 = 0 then 'exhausted' else 'delivered' end, 1, 2, null, date, 200, date
    from ${table('payments')} where status <> 'pending' and merchant_id = '${BIG}'`
}

interface Writes {
  done: number
  longest: number
  over: boolean
}

async function write(shop: FirstVersion, writes: Writes): Promise<void> {
  while (!writes.over) {
    const began = performance.now()
    await shop.complete(await shop.start())
    writes.done += 1
    writes.longest = Math.max(writes.longest, performance.now() - began)
  }
}

async function rateWhile(writes: Writes, work: () => Promise<unknown>) {
  Object.assign(writes, { done: 0, longest: 0 })
  const began = performance.now()
  await work()
  const seconds = (performance.now() - began) / 1000
  return { seconds, rate: writes.done / seconds, longest: writes.longest }
}
