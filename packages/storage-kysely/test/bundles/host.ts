import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createCheckout } from '@tillkit/checkout'
import { merchantApi } from '@tillkit/http'
import { toNode } from '@tillkit/node'
import { createTill } from '@tillkit/till'
import { parseWebhook, verifyWebhook } from '@tillkit/webhook-signer'
import { mysqlStorage } from '../../src/mysql/index.ts'
import { postgresStorage } from '../../src/postgres/index.ts'
import { sqliteStorage } from '../../src/sqlite/index.ts'
import type { Address } from '../engines/address.ts'

/** What became of it. */
export interface Shown {
  /** The statuses of its answers, and what the API lists. */
  api: number
  listed: number
  page: number
  image: number
  delivered: number
  /** The webhook that arrived and was signed; null where none did. */
  webhook: { id: number; totalAmount: number } | null
  /** What it logged. */
  log: string[]
}

/** A host with all of its parts: it takes a payment, tells of it by webhook, is asked over HTTP, and stops. */
export async function show(address: Address): Promise<Shown> {
  const log: string[] = []
  const note = (fields: object, message: string) => void log.push(`${message} ${JSON.stringify(fields)}`)
  const logger = { debug() {}, info() {}, warn: note, error: note }
  const storage = storageAt(address)
  await storage.migrate()
  const till = createTill({ storage, logger, webhooks: { allowHttp: true, allowPrivateAddresses: true } })

  let webhook: Shown['webhook'] = null
  let key = ''
  const receiver = createServer(async (request, response) => {
    const rawBody = await text(request)
    const { authorization } = request.headers
    if (verifyWebhook({ rawBody, authorization, key })) webhook = parseWebhook(rawBody)
    response.writeHead(204).end()
  })
  const shop = await till.merchants.create({ name: 'Corner Coffee', webhookUrl: await listen(receiver) })
  key = await till.merchants.issueWebhookKey(shop.id)
  const { apiKey } = await till.apiKeys.issue(shop.id)
  const { code } = await till.scanCodes.create(shop.id)
  await till.payments.complete(await till.payments.start({ scanCode: code, totalAmount: 1250 }))
  const { delivered } = await till.webhooks.deliverDue()

  const checkout = createCheckout(till, {
    ...{ qrBaseUrl: 'http://localhost', currency: 'EUR', locale: 'en-IE', https: 'off' },
    processor: { charge: async () => ({ status: 'completed' }) },
  })
  const host = createServer(toNode({ '/v1': merchantApi(till, { https: 'off' }), '/qr': checkout.handler }))
  const url = await listen(host)
  const authorization = `Basic ${btoa(`${apiKey}:`)}`
  const api = await fetch(`${url}/v1/payments`, { headers: { authorization } })
  const [page, image] = await Promise.all(
    ['?id=order-1&amount=1850', '.png'].map(rest => fetch(`${url}/qr/${code}${rest}`)),
  )
  const listed = (await api.json()) as unknown[]

  for (const server of [host, receiver]) server.closeAllConnections()
  for (const server of [host, receiver]) server.close()
  await checkout.close()
  await till.webhooks.stop()
  await storage.close()
  return {
    api: api.status,
    listed: listed.length,
    page: page?.status ?? 0,
    image: image?.status ?? 0,
    delivered,
    webhook,
    log,
  }
}

function storageAt(address: Address) {
  if (address.dialect === 'sqlite') return sqliteStorage({ file: address.file })
  if (address.dialect === 'mysql') return mysqlStorage({ uri: address.uri })
  return postgresStorage({ connectionString: address.connectionString }, { schema: address.schema })
}

function listen(server: Server): Promise<string> {
  return new Promise(resolve => {
    server.listen(0, '127.0.0.1', () => {
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    })
  })
}
