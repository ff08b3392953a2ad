import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { freePort } from '@tillkit/servers'
import { expect, onTestFinished, test } from 'vitest'

test('of many who ask at once each has a port of its own, which the operating system gives to nobody', async () => {
  const ports = await Promise.all(Array.from({ length: 500 }, () => freePort()))
  expect(new Set(ports).size).toBe(500)
  expect(ports.filter(port => port < 20_000 || port >= 32_000)).toEqual([])
  const server = createServer().listen(ports[0], '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  // As HTTP/3 is.
  const socket = createSocket('udp4').bind(ports[0], '127.0.0.1')
  onTestFinished(() => void socket.close())
  await once(socket, 'listening')
})
