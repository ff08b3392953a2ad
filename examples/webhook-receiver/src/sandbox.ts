import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { merchantApi } from '@tillkit/http'
import { closeServer, toNode } from '@tillkit/node'
import { memoryStorage } from '@tillkit/storage/memory'
import { createTill } from '@tillkit/till'

/** A provider in memory, to try the receiver with: a merchant of a real one is handed the same four things. */
export async function openSandbox(webhookUrl: string) {
  const webhooks = { allowHttp: true, allowPrivateAddresses: true }
  const till = createTill({ storage: memoryStorage(), webhooks, logger: false })
  const { id } = await till.merchants.create({ name: 'Corner Coffee', webhookUrl })
  const { apiKey } = await till.apiKeys.issue(id)
  const webhookKey = await till.merchants.issueWebhookKey(id)
  const { code } = await till.scanCodes.create(id)

  const server = createServer(toNode({ '/v1': merchantApi(till, { https: 'off' }) }))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    till,
    scanCode: code,
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    apiKey,
    webhookKey,
    async close() {
      await till.close()
      await closeServer(server)
    },
  }
}
