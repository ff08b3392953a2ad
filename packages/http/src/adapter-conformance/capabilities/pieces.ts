import type { Socket } from 'node:net'
import type { HttpHandler } from '../../handler.ts'
import type { Checks } from '../capability.ts'
import type { Client } from '../client.ts'
import { echo } from '../handlers.ts'

const PIECE = 64 * 1024
const text = 'Grüße ☕ \u{1f600}\r\n'

/** Answers with what a generator gives. */
function giving(pieces: () => AsyncGenerator<string | Uint8Array>): HttpHandler {
  return async () => ({
    status: 200,
    headers: { 'Content-Type': 'text/plain; charset=utf-8' },
    body: pieces(),
  })
}

/** A connection that asked for a target. `heard` resolves when its answer has `words` in it. */
function asking(client: Client, target: string) {
  const socket: Socket = client.dial()
  let got = ''
  const listeners = new Set<() => void>()
  socket.on('error', () => {})
  socket.on('data', piece => {
    got = (got + piece.toString('latin1')).slice(-1024)
    for (const look of listeners) look()
  })
  socket.write(`GET ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  const heard = (words: string) =>
    new Promise<void>(resolve => {
      const look = () => {
        if (got.includes(words)) resolve()
      }
      listeners.add(look)
      look()
    })
  return { socket, heard }
}

/** Bodies that are made while they are sent. */
export function pieces({ test, expect, serving }: Checks): void {
  test('arrive whole, text and bytes, and the connection goes on', async () => {
    async function* made() {
      yield text
      yield new Uint8Array([0x61, 0x62])
      for (let n = 0; n < 64; n++) yield new Uint8Array(PIECE).fill(n)
      yield text
    }
    const handlers = { '/pieces': giving(made), '/none': giving(async function* () {}) }
    await serving({ mounts: handlers }, async client => {
      const { body, status, headers } = await client.send({ target: '/pieces' })
      const wanted = Buffer.concat([
        Buffer.from(`${text}ab`),
        ...Array.from({ length: 64 }, (_, n) => Buffer.alloc(PIECE, n)),
        Buffer.from(text),
      ])
      expect([status, headers['content-length'], Buffer.compare(body, wanted)]).toEqual([200, undefined, 0])
      expect(headers['content-type']).toBe('text/plain; charset=utf-8')
      const none = await client.send({ target: '/none' })
      expect([none.status, none.text, none.reused]).toEqual([200, '', true])
    })
  })

  test('arrive before the next is made', async () => {
    const arrived = Promise.withResolvers<void>()
    const handler = giving(async function* () {
      yield 'the first'
      await arrived.promise
      yield 'the last'
    })
    await serving({ mounts: { '/pieces': handler } }, async client => {
      const { socket, heard } = asking(client, '/pieces')
      await heard('the first')
      arrived.resolve()
      await heard('the last')
      socket.destroy()
    })
  })

  test('are not made for a client that went away', async () => {
    const ended = Promise.withResolvers<void>()
    const handler = giving(async function* () {
      try {
        for (;;) yield new Uint8Array(PIECE)
      } finally {
        ended.resolve()
      }
    })
    await serving({ mounts: { '/pieces': handler, '/v1': echo } }, async client => {
      const { socket, heard } = asking(client, '/pieces')
      await heard('\0')
      socket.resetAndDestroy()
      await ended.promise
      expect((await client.send({ target: '/v1' })).status).toBe(200)
    })
  })

  test('that fail in the middle end the connection, so that nobody takes the half for the whole', async () => {
    const handler = giving(async function* () {
      yield 'the half'
      throw new Error('of a test')
    })
    await serving({ mounts: { '/pieces': handler, '/v1': echo } }, async client => {
      expect(
        await client.send({ target: '/pieces' }).then(
          // A server that had sent nothing yet may still say so.
          ({ status }) => (status >= 500 ? 'broken' : 'whole'),
          () => 'broken',
        ),
      ).toBe('broken')
      // The connection may be on its way out: then the client makes another.
      const next = () => client.send({ target: '/v1' })
      expect((await next().catch(next)).status).toBe(200)
    })
  })
}
