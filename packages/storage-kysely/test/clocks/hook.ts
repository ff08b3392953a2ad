import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** A receiver: at `/well` it takes a moment and accepts, anywhere else it refuses. Counts posts by `webhook-id`. */
export async function openHook() {
  const posts = new Map<string, number>()
  const timestamps: number[] = []
  const server = createServer(async (request, response) => {
    const id = `${request.headers['webhook-id']}`
    posts.set(id, (posts.get(id) ?? 0) + 1)
    timestamps.push(Number(request.headers['webhook-timestamp']))
    // Long enough for another worker to come by.
    await sleep(300)
    response.writeHead(request.url === '/well' ? 204 : 500).end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    posts,
    timestamps,
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
