import { sqliteStorage } from '@tillkit/storage-kysely/sqlite'
import { createTill } from '@tillkit/till'
import Sqlite from 'better-sqlite3'

const OPEN = 1000

/**
 * Makes an SQLite file with a merchant, `cafe`, that has so many payments of the last thirty days: one in fifty failed, ten are
 * pending, each outcome has its delivery, of which one in a thousand was given up, and all but the last thousand are in one cash up.
 * The till makes the first of each kind, the others are their likes. Returns the reference of the cash up.
 */
export async function fill(file: string, count: number): Promise<string> {
  const storage = sqliteStorage({ file })
  await storage.migrate()
  const till = createTill({ storage, logger: false, webhooks: { allowHttp: true } })
  await till.merchants.create({ id: 'cafe', name: 'Corner Café', webhookUrl: 'http://192.0.2.1/hook' })
  await till.scanCodes.create('cafe', { code: 'counter', reference: 'Till 1' })
  const start = () =>
    till.payments.start({ scanCode: 'counter', totalAmount: 1250, merchantReference: 'order-1' })
  await till.payments.complete(await start())
  await till.payments.fail(await start(), { failure: 'card_declined' })
  await start()

  const database = new Sqlite(file)
  const step = (30 * 86_400) / count
  const date = `strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '-' || cast((${count} - n.id) * ${step} as integer) || ' seconds')`
  const names = (table: string) =>
    (database.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name)
  const copy = (table: string, changes: Record<string, string>, like: string, from: number) => {
    const columns = names(table)
    const values = columns.map(name => changes[name] ?? `l.${name}`)
    const sql = `with recursive n (id) as (select ${from} union all select id + 1 from n where id < ${count})
      insert into ${table} (${columns.join(', ')}) select ${values.join(', ')} from n join ${table} l on ${like}`
    database.prepare(sql).run()
  }
  const kind = `case when n.id > ${count - 10} then 3 when n.id % 50 = 0 then 2 else 1 end`
  const reference = `'order-' || n.id`
  copy('tillkit_payments', { id: 'n.id', date, merchant_reference: reference }, `l.id = ${kind}`, 4)
  database.exec(`update tillkit_deliveries set state = 'delivered', attempts = 1, next_attempt_at = null,
    last_attempt_at = created_at, last_status = 200`)
  const state = `case when n.id % 1000 = 0 then 'exhausted' else 'delivered' end`
  copy('tillkit_deliveries', { payment_id: 'n.id', state }, `l.payment_id = 1 and n.id <= ${count - 10}`, 4)
  await till.payments.complete({ merchantId: 'cafe', id: 3 })
  const ledger = database.prepare('update tillkit_ledgers set last_payment_id = ?, last_date = last_date')
  ledger.run(count - OPEN)
  const cashUp = await till.cashUps.create('cafe')
  ledger.run(count)
  database.exec('analyze')
  database.close()
  await till.close()
  await storage.close()
  return cashUp.reference
}
