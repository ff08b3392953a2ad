import { createServer } from 'node:http'
import { type AddressInfo, connect, createServer as createProxy, type Socket } from 'node:net'
import { merchantApi } from '@tillkit/http'
import { toNode } from '@tillkit/node'
import type { Till } from '@tillkit/till'
import { onTestFinished } from 'vitest'

/** A till's API on a port of this machine, until the test ends. */
export async function serveTill(till: Till): Promise<number> {
  const server = createServer(toNode({ '/v1': merchantApi(till, { https: 'off', rateLimits: false }) }))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** What a proxy does with a connection, the first being 0: lets it through, or cuts it at some point. */
export type Cut = 'none' | 'before the request' | 'in the request' | 'before the answer' | 'in the answer'

/** A proxy that cuts connections, until the test ends. */
export async function cuttingProxy(port: number, cutOf: (connection: number) => Cut): Promise<number> {
  let connections = 0
  const open = new Set<Socket>()
  const proxy = createProxy(client => {
    const cut = cutOf(connections++)
    const end = () => {
      client.resetAndDestroy()
      server.destroy()
    }
    const server = connect(port, '127.0.0.1')
    for (const socket of [client, server]) {
      open.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        client.destroy()
        server.destroy()
        open.delete(socket)
      })
    }
    if (cut === 'before the request') return end()
    client.on('data', bytes => {
      if (cut !== 'in the request') return server.write(bytes)
      server.write(bytes.subarray(0, bytes.length / 2), end)
    })
    // The till has answered, so that what was asked for is done.
    server.on('data', bytes => {
      if (cut === 'before the answer') end()
      else if (cut === 'in the answer') client.write(bytes.subarray(0, bytes.length - 9), end)
      else client.write(bytes)
    })
  })
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of open) socket.destroy()
    proxy.close()
  })
  return (proxy.address() as AddressInfo).port
}
