import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished, vi } from 'vitest'

/** What a receiver got. */
interface Received {
  authorization: string | undefined
  id: string | undefined
  timestamp: string | undefined
  body: string
}

/** A merchant's receiver on a real socket. `answer` says the status of each webhook in turn: 200 when left out. */
export async function openReceiver(answer: (nth: number) => number = () => 200) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request) body += piece
    const { authorization, 'webhook-id': id, 'webhook-timestamp': timestamp } = request.headers
    received.push({ authorization, id: `${id}`, timestamp: `${timestamp}`, body })
    response.statusCode = answer(received.length)
    response.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    received,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    /** Resolves when so many have come. */
    until: (count: number) =>
      vi.waitFor(
        () => {
          if (received.length < count) throw new Error(`${received.length} webhooks of ${count} have come`)
        },
        { timeout: 60_000, interval: 20 },
      ),
  }
}
