import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ownPostgres } from '@tillkit/servers'
import { postgresStorage } from '@tillkit/storage-kysely/postgres'
import { sqliteStorage } from '@tillkit/storage-kysely/sqlite'
import { createTill, type StatementRow } from '@tillkit/till'
import Database from 'better-sqlite3'
import pg from 'pg'

const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'sqlite' },
    rows: { type: 'string', default: '120000' },
    merchants: { type: 'string', default: '40' },
  },
})
const merchants = Number(values.merchants)
const each = Math.ceil(Number(values.rows) / merchants)
const length = each * merchants

/** Statements that write each merchant with its payments, all completed, each with a reference of its own. */
function fill(engine: 'sqlite' | 'postgres'): string[] {
  const [no, date, series] =
    engine === 'postgres'
      ? [
          'false',
          `timestamptz '2026-11-01 00:00:00+00' + s.id * interval '1 second'`,
          `(select generate_series(1, ${each}) as id) as s`,
        ]
      : [
          '0',
          `strftime('%Y-%m-%dT%H:%M:%SZ', '2026-11-01T00:00:00Z', s.id || ' seconds')`,
          `(with recursive n(id) as (select 1 union all select id + 1 from n where id < ${each}) select id from n) as s`,
        ]
  return Array.from(
    { length: merchants },
    (
      _,
      n,
    ) => `insert into tillkit_payments (merchant_id, id, status, date, total_amount, scan_code, merchant_reference,
      is_voucher, is_voucher_redemption, strict, extra)
      select 'm${n}', s.id, 'completed', ${date}, s.id % 1000, 'till-1', 'order-' || s.id, ${no}, ${no}, ${no}, '{}' from ${series}`,
  )
}

async function sqlite() {
  const folder = await mkdtemp(join(tmpdir(), 'tillkit-settlements-'))
  const file = join(folder, 'till.db')
  const storage = sqliteStorage({ file })
  await storage.migrate()
  const db = new Database(file)
  for (const statement of [...fill('sqlite'), 'analyze']) db.exec(statement)
  db.close()
  return { storage, end: () => rm(folder, { recursive: true }) }
}

async function postgres() {
  const server = await ownPostgres()
  const storage = postgresStorage({ connectionString: server.url })
  await storage.migrate()
  const client = new pg.Client(server.url)
  await client.connect()
  for (const statement of [...fill('postgres'), 'analyze']) await client.query(statement)
  await client.end()
  return { storage, end: () => server.remove() }
}

type Name = (id: number) => Partial<StatementRow>
const byId: Name = id => ({ paymentId: id })
const byReference: Name = id => ({ merchantReference: `order-${id}` })

/** A merchant after the other, or each merchant's first row, then each one's second. */
function* rows(order: 'sorted' | 'mixed', name: Name): Generator<StatementRow> {
  for (let n = 0; n < length; n++) {
    const [merchant, at] =
      order === 'sorted' ? [Math.floor(n / each), n % each] : [n % merchants, Math.floor(n / merchants)]
    yield { merchantId: `m${merchant}`, ...name(at + 1), amount: (at + 1) % 1000, fee: 1 } as StatementRow
  }
}

const { storage, end } = await (values.engine === 'postgres' ? postgres() : sqlite())
const till = createTill({ storage, logger: false })

async function time(what: string, statement: Iterable<StatementRow>, dryRun: boolean): Promise<void> {
  let heap = 0
  const onProgress = () => {
    heap = Math.max(heap, process.memoryUsage().heapUsed)
  }
  const began = performance.now()
  const { settled, already, differences } = await till.settlements.import({
    ...{ statementReference: 'S-1', rows: statement, dryRun, onProgress },
  })
  const seconds = (performance.now() - began) / 1000
  if (settled + already !== length) throw new Error(`${differences.length} rows of ${what} do not agree`)
  const megabytes = (heap / 2 ** 20).toFixed(0)
  console.log(`| ${what} | ${(length / seconds).toFixed(0)} | ${seconds.toFixed(1)} | ${megabytes} |`)
}

console.log(`${length} rows of ${merchants} merchants on ${values.engine}\n`)
console.log('| | rows a second | seconds | MB of heap at most |\n|---|---|---|---|')
await time('dry run, by id, sorted by merchant', rows('sorted', byId), true)
await time('dry run, by merchant reference', rows('sorted', byReference), true)
await time('dry run, by id, merchants mixed', rows('mixed', byId), true)
await time('import, by id, sorted by merchant', rows('sorted', byId), false)
await time('the same again', rows('sorted', byId), false)
await till.close()
await storage.close()
await end()
