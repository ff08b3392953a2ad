import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { merchantApi } from '@tillkit/http'
import { toNode } from '@tillkit/node'
import { memoryStorage } from '@tillkit/storage/memory'
import { createTill } from '@tillkit/till'

// An account of so many payments on a port of this machine, until it is killed.
const till = createTill({ storage: memoryStorage(), logger: false })
await till.merchants.create({ id: 'coffee', name: 'Corner Coffee' })
const { apiKey } = await till.apiKeys.issue('coffee')
await till.scanCodes.create('coffee', { code: 'counter' })
for (let i = 0; i < Number(process.argv[2]); i++) {
  await till.payments.start({ scanCode: 'counter', totalAmount: 1250 })
}
const server = createServer(toNode({ '/v1': merchantApi(till, { https: 'off', rateLimits: false }) }))
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.send?.({ baseUrl: `http://127.0.0.1:${port}/v1`, apiKey })
})
