import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createConnector } from '../../../src/webhooks/wire/dial.ts'
import { lookupFailed, type Resolve } from '../../../src/webhooks/wire/names/address.ts'

test('who joins a lookup shortly before that is given up has one in the time of its own', async () => {
  const server = createServer(socket => socket.end()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as { port: number }
  let lookups = 0
  const resolve: Resolve = (_, signal) => {
    lookups += 1
    if (lookups > 1) return Promise.resolve([{ address: '127.0.0.1', family: 4 }])
    return new Promise((_, reject) =>
      signal.addEventListener('abort', () => reject(lookupFailed(signal.reason))),
    )
  }
  const connector = createConnector(() => true, 1, new AbortController().signal, resolve)
  const connected = () =>
    new Promise<string>(told => {
      const target = { hostname: 'shop.example', host: 'shop.example', protocol: 'http:', port: `${port}` }
      connector(target, (error, socket) => {
        socket?.destroy()
        told(error ? 'failed' : 'connected')
      })
    })
  const first = connected()
  await sleep(700)
  const joiners = [connected(), connected()]
  expect(await first).toBe('failed')
  expect(await Promise.all(joiners)).toEqual(['connected', 'connected'])
  expect(lookups).toBe(2)
})
