import { createTill } from '@tillkit/till'
import { hostDatabaseAt, storageAt } from './address.ts'
import type { Engine } from './engine.ts'

export type HostShop = Awaited<ReturnType<typeof openHostShop>>

/** A shop whose scan code is `till-1`, in a database where its host has a table `orders` of its own. */
export async function openHostShop(create: Engine['create'], webhookUrl: string | null = null) {
  const database = await create()
  const storage = storageAt(database.address)
  await storage.migrate()
  const till = createTill({ storage, logger: false })
  await till.merchants.create({ id: 'shop', name: 'Shop', webhookUrl })
  await till.scanCodes.create('shop', { code: 'till-1' })
  const db = hostDatabaseAt(database.address)
  await db.schema
    .createTable('orders')
    .addColumn('id', 'integer', column => column.notNull().primaryKey())
    .addColumn('note', 'varchar(100)', column => column.notNull())
    .execute()
  return {
    address: database.address,
    storage,
    till,
    db,
    async close() {
      await till.close()
      await storage.close()
      await db.destroy()
      await database.drop()
    },
  }
}
