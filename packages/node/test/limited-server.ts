import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { merchantApi } from '@tillkit/http'
import { toNode } from '@tillkit/node'
import { sqliteStorage } from '@tillkit/storage-kysely/sqlite'
import { createTill } from '@tillkit/till'
import { Redis } from 'ioredis'
import { RateLimiterRedis } from 'rate-limiter-flexible'

/** A process of a host that has several: they share a database and, through Redis, the limits. It sends its port. */
const [file = '', redisPort, points] = process.argv.slice(2)
const storage = sqliteStorage({ file })
const storeClient = new Redis({ port: Number(redisPort), retryStrategy: () => 50 })
storeClient.on('error', () => {})
const shared = { storeClient, points: Number(points), duration: 3600 }

const api = merchantApi(createTill({ storage }), {
  https: 'off',
  rateLimits: {
    perKey: new RateLimiterRedis({ ...shared, keyPrefix: 'key' }),
    perAddress: new RateLimiterRedis({ ...shared, keyPrefix: 'address' }),
  },
})
await storeClient.ping()
const server = createServer(toNode(api))
// It does not outlive the test.
process.once('disconnect', () => process.exit())
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
