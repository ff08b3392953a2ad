import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { merchantApi } from '@tillkit/http'
import { toNode } from '@tillkit/node'
import { PATIENT } from '@tillkit/servers'
import { postgresStorage } from '@tillkit/storage-kysely/postgres'
import { createTill } from '@tillkit/till'
import pg from 'pg'
import type { Asked, Told } from './messages.ts'

// A provider's process: takes payments when asked to, delivers their webhooks, and answers the API.
const [connectionString = '', lanes = ''] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString })
const streams: { bytesRead: number; bytesWritten: number }[] = []
let most = 0
pool.on('connect', client => {
  most = Math.max(most, pool.totalCount)
  streams.push((client as unknown as { connection: { stream: (typeof streams)[number] } }).connection.stream)
})
const till = createTill({
  storage: postgresStorage({ pool, ...PATIENT }),
  webhooks: { allowHttp: true, allowPrivateAddresses: true },
})
till.webhooks.start()

let taken = 0
async function take({ payments, merchants, every }: Asked): Promise<void> {
  let left = payments
  const lane = async () => {
    while (left-- > 0) {
      const n = taken++
      const payment = await till.payments.start({
        scanCode: `code-${1 + ((n * every) % merchants)}`,
        totalAmount: 1250,
        merchantReference: `order-${n}`,
        requiredAmount: 1250,
        userReference: `guest-${n % 500}`,
        extra: { waiter: 'Ann' },
      })
      await till.payments.complete(payment)
    }
  }
  await Promise.all(Array.from({ length: Number(lanes) }, lane))
}

const api = merchantApi(till, { https: 'off', rateLimits: false })
const server = createServer(toNode({ '/v1': api })).listen(0, '127.0.0.1', async () => {
  const { apiKey } = await till.apiKeys.issue('m1')
  tell({ port: (server.address() as AddressInfo).port, apiKey })
})

const tell = (told: Partial<Told>) => {
  const { user, system } = process.cpuUsage()
  const bytes = streams.reduce((sum, { bytesRead, bytesWritten }) => sum + bytesRead + bytesWritten, 0)
  process.send?.({ cpu: (user + system) / 1e6, bytes, connections: most, ...told })
}
process.on('message', async (asked: Asked) => {
  if (asked.payments > 0) await take(asked)
  tell({})
})
