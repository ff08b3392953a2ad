import { connect } from 'node:net'
import { type HttpHandler, json, RequestError } from '@tillkit/http'
import type { Adapter } from '@tillkit/http/adapter-conformance'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'

/** Waits for it, however busy the machine is. */
const soon = { timeout: 60_000 }

/** Answers without a look at the body. */
const ignoring: HttpHandler = async () => json(200, 'done')

/** Wants the whole body first. */
const reading: HttpHandler = async request => {
  try {
    return json(200, (await request.body()).length)
  } catch (error) {
    return json(error instanceof RequestError ? error.status : 500, 'refused')
  }
}

/** Sends text over a connection of its own, and hears what becomes of it. */
async function clientOf(serve: Adapter['serve'], handler: HttpHandler, framing: string, half: string) {
  const { port, close } = await serve({ mounts: { '/v1': handler } })
  onTestFinished(close)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  onTestFinished(() => void socket.destroy())
  const heard = { text: '', closed: false }
  socket.on('data', piece => {
    heard.text += piece
  })
  socket.on('close', () => {
    heard.closed = true
  })
  socket.write(`POST /v1 HTTP/1.1\r\nHost: localhost\r\n${framing}\r\n\r\n${half}`)
  return { socket, heard }
}

const bounded = () => vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(0), soon)

/** How a body is said to go on, what comes of it at first, and a byte more. */
const FRAMINGS = [
  ['Content-Length: 1000', 'half', 'x'],
  ['Transfer-Encoding: chunked', '4\r\nhalf\r\n', '1\r\nx\r\n'],
]

/** Tests of clients that fall silent within a body, or send a byte a second, over an adapter for Node's own server. */
export function silentClients(serve: Adapter['serve']): void {
  afterEach(() => void vi.useRealTimers())

  test.each(FRAMINGS)(
    '%s: a client that falls silent in a body that nobody wants has its answer, and is let go by and by',
    async (framing, half, more) => {
      for (const byte of ['', more]) {
        const { socket, heard } = await clientOf(serve, ignoring, framing, half)
        await vi.waitFor(() => expect(heard.text).toContain('HTTP/1.1 200'), soon)
        await bounded()
        for (let seconds = 0; seconds < 10; seconds++) {
          expect(heard.closed).toBe(false)
          socket.write(byte)
          vi.advanceTimersByTime(1000)
        }
        vi.useRealTimers()
        await vi.waitFor(() => expect(heard.closed).toBe(true), soon)
      }
    },
  )

  test.each(FRAMINGS)(
    '%s: one that falls silent in a body that is wanted is told that it is late, and let go',
    async (framing, half, more) => {
      for (const byte of ['', more]) {
        const { socket, heard } = await clientOf(serve, reading, framing, half)
        await bounded()
        for (let seconds = 0; seconds < 10; seconds++) {
          expect(heard.text).toBe('')
          socket.write(byte)
          vi.advanceTimersByTime(1000)
        }
        await vi.waitFor(() => expect(heard.text).toContain('HTTP/1.1 408'), soon)
        await bounded()
        vi.advanceTimersByTime(10_000)
        vi.useRealTimers()
        await vi.waitFor(() => expect(heard.closed).toBe(true), soon)
      }
    },
  )
}
