import type { Socket } from 'node:net'
import type { BodyLimits } from '../../body/body-limits.ts'
import type { HttpHandler } from '../../handler.ts'
import type { Checks } from '../capability.ts'
import { bodyEcho, echo } from '../handlers.ts'

/** `bodyEcho` of a handler that wants no more than this. */
const within =
  (limits: BodyLimits): HttpHandler =>
  request =>
    bodyEcho({
      ...request,
      method: request.method,
      path: request.path,
      query: request.query,
      headers: request.headers,
      secure: request.secure,
      remoteAddress: request.remoteAddress,
      body: () => request.body(limits),
    })

const head = (target: string, ...lines: string[]) =>
  [`POST ${target} HTTP/1.1`, 'Host: localhost', 'Content-Type: text/plain', ...lines, '', ''].join('\r\n')

/** What comes back over a connection until it holds `text`, or is closed. */
function answer(socket: Socket, text: string): Promise<string> {
  return new Promise(resolve => {
    let got = ''
    socket.on('data', piece => {
      got += piece
      if (got.includes(text)) resolve(got)
    })
    socket.on('close', () => resolve(got))
  })
}

/** Bodies of clients that want the server to wait, or to hold more than it should. */
export function costlyBodies({ test, expect, serving }: Checks): void {
  const refused = '{"code":"invalid_input"}'

  test('a handler can ask for less than the most', () =>
    serving({ mounts: { '/v1': within({ bytes: 100 }) } }, async client => {
      for (const [size, status] of [
        [100, 200],
        [101, 400],
        [1_000_000, 400],
      ]) {
        for (const chunked of [false, true]) {
          const headers: Record<string, string> = chunked ? { 'Transfer-Encoding': 'chunked' } : {}
          const body = new Uint8Array(size as number)
          const got = await client.send({ method: 'POST', target: '/v1', headers, body })
          expect([size, chunked, got.status]).toEqual([size, chunked, status])
        }
      }
    }))

  test('one that says that it is too large is refused before it comes', () =>
    serving({ mounts: { '/v1': bodyEcho } }, async client => {
      const socket = client.dial().on('error', () => {})
      socket.write(head('/v1', 'Content-Length: 1000000000'))
      expect((await answer(socket, refused)).includes(refused)).toBe(true)
      socket.destroy()
    }))

  for (const framing of ['Content-Length: 1000', 'Transfer-Encoding: chunked']) {
    test(`one that does not end in time is answered (${framing})`, () =>
      serving({ mounts: { '/v1': within({ seconds: 0.2 }), '/echo': echo } }, async client => {
        const socket = client.dial().on('error', () => {})
        const answered = answer(socket, refused)
        socket.write(head('/v1', framing))
        const dribble = setInterval(() => socket.write(framing.endsWith('chunked') ? '1\r\nx\r\n' : 'x'), 20)
        expect((await answered).includes(refused)).toBe(true)
        clearInterval(dribble)
        socket.destroy()
        expect((await client.send({ target: '/echo' })).status).toBe(200)
      }))
  }

  test('one without an end that nobody wants is cut off, and the server goes on', () =>
    serving({ mounts: { '/v1': echo, '/body': within({ bytes: 10 }) } }, async client => {
      const piece = `100000\r\n${'x'.repeat(0x100000)}\r\n`
      for (const target of ['/v1', '/body']) {
        const socket = client.dial().on('error', () => {})
        const closed = new Promise(resolve => socket.on('close', resolve))
        socket.resume()
        socket.write(head(target, 'Transfer-Encoding: chunked'))
        const pump = () => {
          while (socket.writable && socket.write(piece));
        }
        socket.on('drain', pump)
        pump()
        await closed
        expect((await client.send({ target: '/v1' })).status).toBe(200)
      }
    }))
}
