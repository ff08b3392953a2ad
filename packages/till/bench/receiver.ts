import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A receiver that answers 204 to everything, and says when it has had `count` requests. */
export async function countingReceiver() {
  let received = 0
  let waiting: { count: number; resolve: () => void } | null = null
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(204).end()
      received++
      if (waiting && received >= waiting.count) waiting.resolve()
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    /** Resolves when `count` more requests than at this moment have come. */
    got: (count: number) =>
      new Promise<void>(resolve => {
        waiting = { count: received + count, resolve }
      }),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
