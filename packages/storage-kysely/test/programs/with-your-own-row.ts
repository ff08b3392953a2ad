import { kyselyStorage, migrate } from '@tillkit/storage-kysely'
import { createTill } from '@tillkit/till'
import { type Generated, Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'

interface Tables {
  orders: { id: Generated<number>; drink: string; payment_id: number }
}

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL })
const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
await db.schema
  .createTable('orders')
  .ifNotExists()
  .addColumn('id', 'serial', column => column.primaryKey())
  .addColumn('drink', 'text', column => column.notNull())
  .addColumn('payment_id', 'bigint', column => column.notNull())
  .execute()

await migrate(db, 'postgres')
const till = createTill({ storage: kyselyStorage(db, 'postgres') })
if ((await till.merchants.get('corner-shop')) === null) {
  await till.merchants.create({ id: 'corner-shop', name: 'Corner Shop' })
  await till.scanCodes.create('corner-shop', { code: 'counter-1' })
}

await db.transaction().execute(async trx => {
  const inside = createTill({ storage: kyselyStorage(trx, 'postgres') })
  const payment = await inside.payments.start({ scanCode: 'counter-1', totalAmount: 350 })
  await trx.insertInto('orders').values({ drink: 'tea', payment_id: payment.id }).execute()
})
console.log(await db.selectFrom('orders').selectAll().execute())

await till.close()
await db.destroy()
