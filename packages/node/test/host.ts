import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { buffer, json } from 'node:stream/consumers'
import type { Adapter } from '@tillkit/http/adapter-conformance'
import { toNode } from '@tillkit/node'

/** A host with no framework: its parser reads every body to its end, and leaves it read. */
export const serve: Adapter['serve'] = async ({ mounts, tls, trustsLoopback, parsesBodies }) => {
  const mounted = toNode(mounts, { trustProxy: trustsLoopback ? 'loopback' : false })
  const host: RequestListener = async (request, response) => {
    if (request.url === '/host') response.end(await own(request))
    else {
      if (parsesBodies) await buffer(request)
      mounted(request, response)
    }
  }
  const server = tls ? createSecureServer(tls, host) : createServer(host)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

async function own(request: IncomingMessage): Promise<string> {
  return request.method === 'POST' ? JSON.stringify(await json(request)) : 'the host'
}
