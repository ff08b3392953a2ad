import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { merchantApi, qrEndpoints } from '@tillkit/http'
import { toNode } from '@tillkit/node'
import type { DatabaseStorage } from '@tillkit/storage-kysely'
import { sqliteStorage } from '@tillkit/storage-kysely/sqlite'
import { createTill, type Till } from '@tillkit/till'

/** A till over a real database, its API over a real socket, and a receiver of webhooks. */
export interface Shop {
  till: Till
  storage: DatabaseStorage
  merchantId: string
  apiKey: string
  /** Where the API is. */
  url: string
  /** Statuses that the receiver answers next; 200 once there are none left. */
  answers: number[]
  /** Asks the API, with the merchant's key unless told otherwise. */
  get(path: string, headers?: Record<string, string>): Promise<Response>
  close(): Promise<void>
}

const listening = (server: Server) =>
  new Promise<string>(resolve => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
  })

export async function openShop(
  storage: DatabaseStorage = sqliteStorage({ file: ':memory:' }),
): Promise<Shop> {
  await storage.migrate()
  const webhooks = { allowHttp: true, allowPrivateAddresses: true }
  const till = createTill({ storage, webhooks })
  const answers: number[] = []
  const receiver = createServer((request, response) => {
    request.resume()
    response.writeHead(answers.shift() ?? 200).end()
  })
  const webhookUrl = await listening(receiver)
  const merchantId = 'corner.coffee-4711'
  await till.merchants.create({ id: merchantId, name: 'Corner Coffee', webhookUrl })
  await till.scanCodes.create(merchantId, { code: 'counter-4711' })
  const { apiKey } = await till.apiKeys.issue(merchantId)
  const api = merchantApi(till, { https: 'off' })
  const qr = qrEndpoints(till, { qrBaseUrl: 'http://localhost', https: 'off' })
  const server = createServer(toNode({ '/v1': api, '/qr': qr }))
  const url = await listening(server)
  const authorization = `Basic ${Buffer.from(`${apiKey}:`).toString('base64')}`
  return {
    ...{ till, storage, merchantId, apiKey, url, answers },
    get: (path, headers = { authorization }) => fetch(`${url}${path}`, { headers }),
    async close() {
      for (const one of [server, receiver]) {
        one.closeAllConnections()
        await new Promise(resolve => one.close(resolve))
      }
      await till.close()
      await storage.close()
    },
  }
}
