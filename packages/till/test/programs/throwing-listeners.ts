import { tracingChannel } from 'node:diagnostics_channel'
import { memoryStorage } from '@tillkit/storage/memory'
import { createTill, type PaymentMessage } from '@tillkit/till'

const reported = new Set<string>()
process.on('uncaughtException', error => reported.add(error.message))

const throws = () => {
  throw new Error('a listener threw')
}
tracingChannel<object, PaymentMessage>('tillkit:till.payment').subscribe({
  start(message) {
    message.within = throws
    throws()
  },
  end: throws,
  asyncStart: throws,
  asyncEnd: throws,
  error: throws,
})

const till = createTill({ storage: memoryStorage() })
await till.merchants.create({ id: 'shop', name: 'Shop' })
await till.scanCodes.create('shop', { code: 'counter' })
const payment = await till.payments.start({ scanCode: 'counter', totalAmount: 1250 })
console.log((await till.payments.complete(payment)).status)
await new Promise(resolve => setImmediate(resolve))
console.log(`reported: ${[...reported].join(', ')}`)
