import { createServer } from 'node:http'
import { createCheckout } from '@tillkit/checkout'
import { merchantApi } from '@tillkit/http'
import { toNode } from '@tillkit/node'
import { createTill } from '@tillkit/till'

/** A host with all of its parts, which says what to ask it. */
export async function host(storage) {
  await storage.migrate()
  const till = createTill({ storage })
  const shop = await till.merchants.create({ name: 'Corner Coffee' })
  const { apiKey } = await till.apiKeys.issue(shop.id)
  const { code } = await till.scanCodes.create(shop.id)
  await till.payments.complete(await till.payments.start({ scanCode: code, totalAmount: 1250 }))
  const url = `http://localhost:${process.env.PORT}`
  const processor = { charge: async () => ({ status: 'completed' }) }
  const checkout = createCheckout(till, {
    qrBaseUrl: url,
    currency: 'EUR',
    locale: 'en-IE',
    processor,
    https: 'off',
  })
  const server = createServer(toNode({ '/v1': merchantApi(till, { https: 'off' }), '/qr': checkout.handler }))
  till.webhooks.start()
  server.listen(process.env.PORT, () => console.log(`curl -u ${apiKey}: ${url}/v1/payments`))
}
