import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { merchantApi } from '@tillkit/http'
import { toNode } from '@tillkit/node'
import { postgresStorage } from '@tillkit/storage-kysely/postgres'
import { sqliteStorage } from '@tillkit/storage-kysely/sqlite'
import { createTill } from '@tillkit/till'
import { listeners } from './listeners.ts'
import { PAYMENTS, type Turn } from './turns.ts'

const [database = ':memory:'] = process.argv.slice(2)
const isUrl = database.startsWith('postgres')
const storage = isUrl ? postgresStorage({ connectionString: database }) : sqliteStorage({ file: database })
await storage.migrate()
const till = createTill({ storage })
await till.merchants.create({ id: 'coffee', name: 'Corner Coffee' })
await till.scanCodes.create('coffee', { code: 'counter' })
const { apiKey } = await till.apiKeys.issue('coffee')
for (let n = 0; n < 200; n++) await pay()
const server = createServer(toNode({ '/v1': merchantApi(till, { https: 'off', rateLimits: false }) }))

async function pay(): Promise<void> {
  await till.payments.complete(await till.payments.start({ scanCode: 'counter', totalAmount: 1250 }))
}

let ignore = listeners.none()
let began = process.cpuUsage()

/** Lets listen who is to, does what the turn is about, and tells what it has computed for it. */
process.on('message', async (turn: Turn) => {
  if (turn === 'end') {
    const { user, system } = process.cpuUsage(began)
    process.send?.({ microseconds: user + system })
    return
  }
  if ('listening' in turn) {
    ignore()
    ignore = listeners[turn.listening]()
  } else {
    const payments = turn.count === 'payments' ? PAYMENTS : 0
    for (let n = 0; n < payments; n++) await pay()
    began = process.cpuUsage()
    for (let n = 0; n < payments; n++) await pay()
  }
  process.send?.({ begun: true })
})

server.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port, apiKey })
})
