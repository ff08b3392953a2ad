import { type Address, storageAt } from '../engines/address.ts'

const { address } = JSON.parse(process.argv[2] ?? '') as { address: Address }

// Says that it is ready, so that all begin at once.
process.send?.('ready')
process.once('message', async () => {
  const storage = storageAt(address)
  await storage.migrate()
  await storage.merchants.create({
    id: `merchant-${process.pid}`,
    name: 'Shop',
    webhookUrl: null,
    features: { tips: false, userReferences: false, deviceLists: false },
    createdAt: '2026-11-20T09:30:00.000Z',
  })
  await storage.close()
  process.disconnect()
})
