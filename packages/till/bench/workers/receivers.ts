import { createServer } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import { freePort } from '@tillkit/servers'
import type { Ports, Received } from './messages.ts'

// Receivers of webhooks: at one port all are answered, at another one none.
const ids = new Set<string>()
let [wanted, requests, began] = [0, 0, 0]

const sound = createServer((request, response) => {
  if (requests++ === 0) began = performance.now()
  ids.add(String(request.headers['webhook-id']))
  request.resume().on('end', () => {
    response.writeHead(204).end()
    if (ids.size === wanted) tell()
  })
})
sound.keepAliveTimeout = 60_000
const silent = createServer(request => void request.resume())

function tell(): void {
  const received: Received = { seconds: (performance.now() - began) / 1000, posts: requests }
  process.send?.(received)
}

const listening = (server: Server) =>
  new Promise<number>(resolve =>
    server.listen(0, '0.0.0.0', () => resolve((server.address() as AddressInfo).port)),
  )

process.on('message', (count: number) => {
  ids.clear()
  requests = 0
  wanted = count
})
const ports: Ports = {
  sound: await listening(sound),
  silent: await listening(silent),
  refusing: await freePort(),
}
process.send?.(ports)
