import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { merchantApi } from '@tillkit/http'
import { toNode } from '@tillkit/node'
import { postgresStorage } from '@tillkit/storage-kysely/postgres'
import { sqliteStorage } from '@tillkit/storage-kysely/sqlite'
import { createTill } from '@tillkit/till'
import { listeners } from './listeners.ts'
import { inTurns, type Turn } from './turns.ts'

/** How many payments make a turn, and how many come before they count: few, so that turns meet the same noise. */
const [PAYMENTS, WARM_UP] = [200, 20]

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

/** The microseconds that were computed since then. */
function computed(): number {
  const { user, system } = process.cpuUsage(began)
  return user + system
}

async function payInTurn(): Promise<number> {
  for (let n = 0; n < WARM_UP; n++) await pay()
  began = process.cpuUsage()
  for (let n = 0; n < PAYMENTS; n++) await pay()
  return computed() / PAYMENTS
}

async function answer(turn: Turn): Promise<unknown> {
  if (turn === 'end') return computed()
  if (turn === 'begin') {
    began = process.cpuUsage()
    return null
  }
  const listen = (who: keyof typeof listeners) => {
    ignore()
    ignore = listeners[who]()
  }
  if ('listening' in turn) return listen(turn.listening)
  return inTurns(turn.turns, turn.of, who => {
    listen(who)
    return payInTurn()
  })
}

process.on('message', async (turn: Turn) => {
  process.send?.({ answer: await answer(turn) })
})

server.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port, apiKey })
})
