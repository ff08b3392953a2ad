import { createTill, type Logger } from '@tillkit/till'
import { type Address, storageAt } from '../engines/address.ts'

/** What a process of a shop is told. */
export interface Orders {
  address: Address
  name: string
  payments: number
  /** Whether it delivers webhooks as well. */
  delivers: boolean
}

/** What it says when its own payments are done. */
export interface Report {
  failed: number
  cashUp: string
  createdAt: string
  warnings: { machine: string; storage: string; seconds: number }[]
  /** Its own wall clock's time. */
  wall: number
}

const { address, name, payments, delivers } = JSON.parse(process.argv[2] ?? '') as Orders
const warnings: Report['warnings'] = []
const ignore = () => {}
const logger: Logger = {
  debug: ignore,
  info: ignore,
  error: ignore,
  warn: (fields, message) => {
    if (/clock is wrong/.test(message)) warnings.push(fields as Report['warnings'][number])
  },
}

const storage = storageAt(address)
const till = createTill({
  storage,
  logger,
  ...(process.env.BELIEVE_MACHINE ? { clock: () => new Date() } : {}),
  webhooks: { allowHttp: true, allowPrivateAddresses: true, retryDelays: [0.1, 0.1, 0.1] },
})
if (delivers) till.webhooks.start()

let failed = 0
for (let n = 0; n < payments; n++) {
  for (const scanCode of ['shop', 'grump']) {
    const payment = await till.payments.start({ scanCode, totalAmount: 1, attemptKey: `${name} ${n}` })
    failed += await till.payments.failStale({ olderThanSeconds: 600 })
    await till.payments.complete(payment)
  }
}
const { date: cashUp } = await till.cashUps.create('shop')
const { createdAt } = await till.scanCodes.create('shop')
process.send?.({ failed, cashUp, createdAt, warnings, wall: Date.now() } satisfies Report)

process.once('message', async () => {
  await till.close()
  await storage.close()
  process.disconnect()
})
