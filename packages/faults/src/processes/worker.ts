import { once } from 'node:events'
import { createTill } from '@tillkit/till'
import { type Address, storageAt } from '../engines/address.ts'
import { heapSamples } from './heap-samples.ts'
import { type Orders, program } from './program.ts'

/** Delivers webhooks. */
export interface WorkerOrders extends Orders {
  address: Address
  /** How long a receiver may take, in seconds. A lease is a little more than three times as long. */
  timeoutSeconds: number
  /** After how many results it writes down its heap; null for never. */
  sampleEvery: number | null
}

/** Receivers here have moods, but mean well: what failed is tried again soon, and never given up. */
const RETRY_DELAYS = Array<number>(1000).fill(0.1)

const { orders, journal, logger, stopping, ready, end } = program<WorkerOrders>()
const storage = storageAt(orders.address)
const till = createTill({
  storage,
  logger,
  webhooks: {
    allowHttp: true,
    allowPrivateAddresses: true,
    timeoutSeconds: orders.timeoutSeconds,
    retryDelays: RETRY_DELAYS,
  },
})
const sample = heapSamples(journal, 'worker', orders.sampleEvery)
for (const name of ['delivered', 'attemptFailed'] as const) {
  till.webhooks.on(name, ({ merchantId, paymentId, number }) => {
    journal.write({ what: 'result', delivered: name === 'delivered', number, merchantId, id: paymentId })
    sample()
  })
}
till.webhooks.start()
ready()

await once(stopping, 'abort')
await till.close()
await storage.close()
end()
