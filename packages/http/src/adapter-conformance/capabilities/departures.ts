import type { Socket } from 'node:net'
import type { HttpHandler } from '../../handler.ts'
import type { Checks } from '../capability.ts'
import type { Client } from '../client.ts'
import { bodyEcho, echo } from '../handlers.ts'

/** A handler that can be waited for, before and after what it does. */
function watched(handler: HttpHandler) {
  const entered = Promise.withResolvers<void>()
  const left = Promise.withResolvers<void>()
  const wrapped: HttpHandler = async request => {
    entered.resolve()
    try {
      return await handler(request)
    } finally {
      left.resolve()
    }
  }
  return { handler: wrapped, entered: entered.promise, left: left.promise }
}

async function write(client: Client, text: string): Promise<Socket> {
  const socket = client.dial()
  socket.on('error', () => {})
  await new Promise<void>(resolve => socket.write(text, () => resolve()))
  return socket
}

/** Clients that go away in the middle. */
export function departures({ test, expect, serving }: Checks): void {
  test('before the answer', async () => {
    const gone = Promise.withResolvers<void>()
    const slow = watched(async () => {
      await gone.promise
      return { status: 200, headers: {}, body: 'x'.repeat(1024 * 1024) }
    })
    await serving({ mounts: { '/slow': slow.handler, '/v1': echo } }, async client => {
      const socket = await write(client, 'GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n')
      await slow.entered
      socket.on('close', () => gone.resolve())
      socket.resetAndDestroy()
      await slow.left
      expect((await client.send({ target: '/v1' })).status).toBe(200)
    })
  })

  test('while their body is read', async () => {
    const reading = watched(bodyEcho)
    await serving({ mounts: { '/body': reading.handler, '/v1': echo } }, async client => {
      const head =
        'POST /body HTTP/1.1\r\nHost: localhost\r\nContent-Type: a/b\r\nContent-Length: 1000\r\n\r\nhalf'
      const socket = await write(client, head)
      await reading.entered
      socket.resetAndDestroy()
      await reading.left
      expect((await client.send({ target: '/v1' })).status).toBe(200)
    })
  })

  test('while their answer is written', async () => {
    const large = async () => ({ status: 200, headers: {}, body: new Uint8Array(32 * 1024 * 1024) })
    await serving({ mounts: { '/large': large, '/v1': echo } }, async client => {
      const socket = await write(client, 'GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n')
      await new Promise<void>(resolve => socket.once('data', () => resolve()))
      socket.resetAndDestroy()
      expect((await client.send({ target: '/v1' })).status).toBe(200)
    })
  })
}
