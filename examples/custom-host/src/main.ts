import { setTimeout } from 'node:timers/promises'
import { paymentUrl } from '@tillkit/qr'
import { buildHost } from './build.ts'

const port = Number(process.env.PORT ?? 3004)
const qrBaseUrl = `http://localhost:${port}`

const { server, store, close } = await buildHost({
  file: 'custom-host.journal',
  qrBaseUrl,
  charge: () => setTimeout(500, true), // the card processor
  webhookKeyOf: () => process.env.WEBHOOK_KEY ?? 'a key that the merchant has as well',
})

const now = new Date().toISOString()
if ((await store.merchants.get('coffee')) === null) {
  const features = { tips: false, userReferences: false, deviceLists: false }
  const webhookUrl = process.env.WEBHOOK_URL ?? null
  await store.merchants.create({ id: 'coffee', name: 'Corner Coffee', webhookUrl, features, createdAt: now })
  await store.scanCodes.add({ merchantId: 'coffee', code: 'counter', reference: null, createdAt: now })
}

const order = {
  scanCode: 'counter',
  merchantReference: `order-${Date.now()}`,
  requiredAmount: 450,
  strict: true,
}
server.listen(port, () => console.log(`Pay at ${paymentUrl({ qrBaseUrl, ...order })}`))

const SIGNALS = ['SIGINT', 'SIGTERM']
function stop(): void {
  for (const signal of SIGNALS) process.off(signal, stop) // a second one ends the process at once
  void close()
}
for (const signal of SIGNALS) process.on(signal, stop)
