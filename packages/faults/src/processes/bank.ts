import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { randomFrom } from '../random.ts'
import { type Orders, program } from './program.ts'

/** What a host asks a bank to charge, and where the bank may call it back. */
export interface ChargeRequest {
  merchantId: string
  id: number
  totalAmount: number
  callback: string
}

/** What became of a payment; the bank never knows of one that it has not heard of. */
export type BankAnswer = { status: 'completed' | 'error' | 'unknown' }

/**
 * A bad bank: it charges whatever it is asked to, as often as it is asked, and what it answers is another matter. Its own
 * journal says what it took, and is written before it answers.
 */
const MOODS = [
  ...Array<'good'>(8).fill('good'),
  ...(['declines', 'declines', 'is late', 'never answers', 'throws after charging'] as const),
  ...(['answers twice', 'loses the connection', 'loses the request'] as const),
]

const { orders, journal, stopping, ready, end } = program<Orders>()
const random = randomFrom(orders.seed)
const known = new Map<string, BankAnswer>()

async function charge(request: ChargeRequest, response: ServerResponse): Promise<void> {
  const { merchantId, id, totalAmount, callback } = request
  const mood = random.pick(MOODS)
  const patience = random.whole(0, 1500)
  if (mood === 'loses the request') return void response.destroy()

  const answer: BankAnswer = { status: mood === 'declines' ? 'error' : 'completed' }
  journal.write({ what: mood === 'declines' ? 'declined' : 'charged', merchantId, id, totalAmount })
  known.set(`${merchantId}:${id}`, answer)
  if (mood === 'never answers') return
  if (mood === 'throws after charging') return void response.writeHead(500).end()
  if (mood === 'loses the connection') return void response.destroy()
  if (mood === 'is late') await sleep(patience)
  response.end(JSON.stringify(answer))
  if (mood !== 'answers twice') return
  for (const _ of ['once', 'twice']) {
    const body = JSON.stringify({ merchantId, id, ...answer })
    await fetch(callback, { method: 'POST', body }).catch(() => {})
  }
}

const server = createServer(async (request, response) => {
  response.on('error', () => {})
  if (request.method === 'GET') {
    return void response.end(JSON.stringify(known.get((request.url ?? '').slice(1)) ?? { status: 'unknown' }))
  }
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  await charge(JSON.parse(Buffer.concat(chunks).toString()), response)
})
server.listen(0, '127.0.0.1', () => ready((server.address() as AddressInfo).port))

await once(stopping, 'abort')
server.closeAllConnections()
server.close(end)
