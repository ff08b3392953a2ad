import type { Address } from '../engines/address.ts'
import { storageAt } from '../engines/address.ts'
import { attempt, NOW } from '../faults/shop.ts'

/** Takes the merchant's lock and stops, or is stopped, before it lets go of it. It does not outlive the test. */
process.once('disconnect', () => process.exit())
const address = JSON.parse(process.argv[2] ?? '') as Address
const storage = storageAt(address, {}, JSON.parse(process.argv[3] ?? '{}'))
await storage.transaction(async inside => {
  await inside.payments.start(attempt(), NOW)
  process.send?.('held')
  // Nothing of it happens where the process is stopped.
  await new Promise(resolve => setTimeout(resolve, 3_600_000))
})
