import { connect } from 'node:net'
import { json, RequestError, UNREAD_LIMITS } from '@tillkit/http'
import { toNode } from '@tillkit/node'
import { afterEach, expect, test, vi } from 'vitest'
import { echo } from './echo.ts'
import { listen, message } from './server.ts'

/** Waits for it, however busy the machine is. */
const soon = { timeout: 60_000 }

afterEach(() => void vi.useRealTimers())

test('a body that nobody wants and that never ends holds its connection for ten seconds, no longer', async () => {
  const { port } = await listen(toNode(echo))
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const socket = connect(port, '127.0.0.1')
  const closed = vi.fn()
  socket.on('close', closed)
  const answered = new Promise(resolve => socket.once('data', resolve))
  socket.write(`${message('POST /', { Connection: 'keep-alive', 'Content-Length': '1000' })}x`)
  await answered
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1), soon)
  vi.advanceTimersByTime(9_000)
  expect(closed).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1_000)
  vi.useRealTimers()
  await vi.waitFor(() => expect(closed).toHaveBeenCalled(), soon)
})

const refusing = toNode(async request => {
  try {
    return json(200, (await request.body({ bytes: 100 })).length)
  } catch (error) {
    return json(error instanceof RequestError ? error.status : 500, 'refused')
  }
})

const stranger = toNode(async () => json(401, 'who are you?'))

test.each([
  [413, 'Content-Length: 1000000000', refusing],
  [413, 'Transfer-Encoding: chunked', refusing],
  [401, 'Content-Length: 1000000000', stranger],
  [401, 'Transfer-Encoding: chunked', stranger],
])(
  'what was refused is not read on: its client has the answer, and the connection ends (%i, %s)',
  async (status, framing, listener) => {
    const { port } = await listen(listener)
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    const closed = new Promise(resolve => socket.on('close', resolve))
    let [answer, taken] = ['', 0]
    socket.on('data', piece => {
      answer += piece
    })
    const piece = `10000\r\n${'x'.repeat(0x10000)}\r\n`
    const pump = () => {
      socket.write(piece, error => {
        if (error) return
        taken += piece.length
        pump()
      })
    }
    socket.write(`POST / HTTP/1.1\r\nHost: localhost\r\n${framing}\r\n\r\n`)
    pump()
    await closed
    expect(answer).toContain(`HTTP/1.1 ${status} `)
    expect(taken).toBeLessThan(UNREAD_LIMITS.bytes)
  },
)

test('one that is refused, and not much larger than any that is read, leaves its connection to go on', async () => {
  const { raw } = await listen(refusing)
  const large = message('POST /', { Connection: 'keep-alive', 'Content-Length': '20000' })
  const small = message('POST /', { 'Content-Length': '3' })
  const text = await raw(`${large}${'x'.repeat(20_000)}${small}abc`)
  expect(text.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200'])
})
