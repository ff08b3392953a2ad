import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseWebhook, verifyWebhook } from '@tillkit/webhook-signer'
import { randomFrom } from '../random.ts'
import { type Orders, program } from './program.ts'

/** Takes the webhooks of all merchants, each at a path of its own, and writes them down before it answers. */
export interface ReceiverOrders extends Orders {
  /** How often it answers 500, breaks off, or takes its time: 0 to 1. */
  moody: number
}

const { orders, journal, stopping, ready, end } = program<ReceiverOrders>()
const random = randomFrom(orders.seed)
/** The keys that the campaign has had issued, by merchant. */
const keys = new Map<string, string>()
process.on('message', (told: { keys?: Record<string, string> }) => {
  for (const [merchant, key] of Object.entries(told.keys ?? {})) keys.set(merchant, key)
})

const server = createServer(async (request, response) => {
  const merchantId = (request.url ?? '').slice(1)
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const rawBody = Buffer.concat(chunks)
  const { authorization } = request.headers
  const key = keys.get(merchantId) ?? ''
  const signed = key !== '' && verifyWebhook({ rawBody, authorization, key })
  const { id, status, totalAmount } = parseWebhook(rawBody)
  const answered = random.chance(orders.moody) ? 500 : 200
  journal.write({ what: 'received', merchantId, id, signed, status, totalAmount, answered })
  if (random.chance(orders.moody)) await sleep(random.whole(1, 100))
  // One that has written it down may still be gone before it says so.
  if (random.chance(orders.moody / 2)) return void request.socket.destroy()
  response.writeHead(answered).end()
})
server.listen(0, '127.0.0.1', () => ready((server.address() as AddressInfo).port))

await once(stopping, 'abort')
server.closeAllConnections()
server.close(end)
