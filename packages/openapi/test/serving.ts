import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { merchantApi, qrEndpoints } from '@tillkit/http'
import { toNode } from '@tillkit/node'
import { apiReference, openApiDocument } from '@tillkit/openapi'
import { memoryStorage } from '@tillkit/storage/memory'
import { createTill } from '@tillkit/till'

/** A server on a port of this machine with the API, the QR endpoints, and the page at `/docs` and `/a/b`. */
export async function openServer(features = {}) {
  const till = createTill({ storage: memoryStorage(), logger: false, rememberSeconds: 0 })
  const merchant = await till.merchants.create({ name: 'Corner Café', features })
  const { apiKey } = await till.apiKeys.issue(merchant.id)
  await till.scanCodes.create(merchant.id, { code: 'counter', reference: 'Counter' })
  for (const merchantReference of [null, 'INV-1001', 'INV-1002']) {
    const started = await till.payments.start({ scanCode: 'counter', totalAmount: 1250, merchantReference })
    await till.payments.complete(started)
  }
  const { reference } = await till.cashUps.create(merchant.id)

  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const document = openApiDocument({ serverUrl: `${origin}/v1`, title: 'Example <Pay>' })
  const page = apiReference({ document })
  const open = { https: 'off', rateLimits: false } as const
  server.on(
    'request',
    toNode({
      '/v1': merchantApi(till, open),
      '/qr': qrEndpoints(till, { qrBaseUrl: origin, ...open }),
      '/docs': page,
      '/a/b': page,
    }),
  )
  const close = async () => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
    await till.close()
  }
  return { till, merchant, apiKey, reference, origin, document, close }
}
