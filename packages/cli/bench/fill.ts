import { sqliteStorage } from '@tillkit/storage-kysely/sqlite'
import { createTill } from '@tillkit/till'
import Sqlite from 'better-sqlite3'

/** Makes an SQLite file with a merchant, `coffee`, that has so many payments: one is made by the till, the others are its likes. */
export async function fill(file: string, count: number): Promise<void> {
  const storage = sqliteStorage({ file })
  await storage.migrate()
  const till = createTill({ storage, logger: false })
  await till.merchants.create({ id: 'coffee', name: 'Corner Coffee', features: { userReferences: true } })
  await till.scanCodes.create('coffee', { code: 'counter', reference: 'Till 1' })
  const first = await till.payments.start({
    scanCode: 'counter',
    totalAmount: 1250,
    userReference: 'table 12, by the window',
    merchantReference: 'order-2026-11-20-0001',
    requiredAmount: 1250,
    extra: { waiter: 'Anna', receipt: 'by mail' },
  })
  await till.payments.complete(first)
  await till.close()
  await storage.close()

  const database = new Sqlite(file)
  const columns = database.pragma('table_info(tillkit_payments)') as { name: string }[]
  const names = columns.map(({ name }) => name)
  const likes = names.map(name => (name === 'id' ? 'n.id' : `p.${name}`))
  database
    .prepare(
      `with recursive n (id) as (select 2 union all select id + 1 from n where id < ?)
       insert into tillkit_payments (${names.join(', ')})
       select ${likes.join(', ')} from n, tillkit_payments p where p.merchant_id = 'coffee' and p.id = 1`,
    )
    .run(count)
  database.prepare("update tillkit_ledgers set last_payment_id = ? where merchant_id = 'coffee'").run(count)
  database.close()
}
