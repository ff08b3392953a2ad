import { sqliteStorage } from '@tillkit/storage-kysely/sqlite'
import { createTill } from '@tillkit/till'

/** Writes `count` payments of one merchant, with `extra` each, into a file and returns a key and a scan code of the merchant. */
export async function seed(
  file: string,
  count: number,
  { id = 'shop', extra = { basket: '2' } }: { id?: string; extra?: Record<string, string> } = {},
): Promise<{ apiKey: string; code: string }> {
  const storage = sqliteStorage({ file })
  await storage.migrate()
  const made = await storage.transaction(async transaction => {
    const till = createTill({ storage: transaction })
    const merchant = await till.merchants.create({ id, name: 'Shop' })
    const { code } = await till.scanCodes.create(merchant.id)
    for (let i = 0; i < count; i++) {
      const payment = await till.payments.start({
        scanCode: code,
        totalAmount: 1000 + i,
        merchantReference: `order-${i}`,
        requiredAmount: 1000,
        extra,
      })
      await (i % 20 === 0 ? till.payments.fail(payment) : till.payments.complete(payment))
    }
    return { apiKey: (await till.apiKeys.issue(merchant.id)).apiKey, code }
  })
  await storage.close()
  return made
}
