import { sqliteStorage } from '@tillkit/storage-kysely/sqlite'
import { createTill } from '@tillkit/till'

const storage = sqliteStorage({ file: 'till.db' })
await storage.migrate()
const till = createTill({ storage })

if ((await till.merchants.get('corner-shop')) === null) {
  await till.merchants.create({ id: 'corner-shop', name: 'Corner Shop' })
  await till.scanCodes.create('corner-shop', { code: 'counter-1' })
}
const payment = await till.payments.start({ scanCode: 'counter-1', totalAmount: 1250 })
await till.payments.complete(payment)
console.log(await till.payments.get('corner-shop', payment.id))

await till.close()
await storage.close()
