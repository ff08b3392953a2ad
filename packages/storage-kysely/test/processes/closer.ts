import type { TimeLimits } from '../../src/connections/limits/time-limits.ts'
import { type Address, storageAt } from '../engines/address.ts'

const { address, limits } = JSON.parse(process.argv[2] ?? '') as { address: Address; limits: TimeLimits }

// Says that it has a connection, and closes when it is told to. Nothing is left then for which it would go on.
const storage = storageAt(address, {}, limits)
await storage.merchants.get('shop')
process.send?.('ready')
process.once('message', async () => {
  await storage.close()
  process.disconnect()
})
