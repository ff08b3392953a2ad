import Stripe from 'stripe'
import { buildShop } from './build.ts'
import { openStandIn } from './stand-in/stand-in.ts'

const port = Number(process.env.PORT ?? 3007)
const qrBaseUrl = `http://localhost:${port}`

const key = process.env.STRIPE_SECRET_KEY
const standIn = key ? null : await openStandIn()
if (standIn) console.log('No STRIPE_SECRET_KEY: a stand-in answers as Stripe documents. No money moves.')
const stripe = standIn ? standIn.client() : new Stripe(key ?? '', { timeout: 20_000, maxNetworkRetries: 2 })

const { server, till, close } = await buildShop({ file: 'stripe.db', stripe, qrBaseUrl, https: 'off' })
if ((await till.merchants.get('coffee')) === null) {
  await till.merchants.create({ id: 'coffee', name: 'Corner Coffee', features: { tips: true } })
  await till.scanCodes.create('coffee', { code: 'counter' })
}
const { apiKey } = await till.apiKeys.issue('coffee')
server.listen(port, () => {
  console.log(`Pay at ${qrBaseUrl}/qr/counter?id=order-1&amount=1850`)
  console.log(`curl -u ${apiKey}: ${qrBaseUrl}/v1/payments`)
})

const SIGNALS = ['SIGINT', 'SIGTERM']
async function stop(): Promise<void> {
  for (const signal of SIGNALS) process.off(signal, stop) // a second one ends the process at once
  await close()
  await standIn?.close()
}
for (const signal of SIGNALS) process.on(signal, stop)
