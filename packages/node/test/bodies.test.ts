import { connect } from 'node:net'
import { type HttpHandler, json, MAX_BODY_BYTES } from '@tillkit/http'
import { toNode } from '@tillkit/node'
import { expect, test, vi } from 'vitest'
import { echo } from './echo.ts'
import { bodyOf, listen, message, statusOf } from './server.ts'

const reader: HttpHandler = async request => {
  try {
    const body = await request.body()
    return json(200, body.length)
  } catch (error) {
    return json(400, (error as Error).message)
  }
}

const MIB = 1024 * 1024

/** Posts a body, and three bytes more over the same connection. */
async function twice(handler: HttpHandler, size: number, headers: Record<string, string> = {}) {
  const { raw } = await listen(toNode(handler))
  const kept = { Connection: 'keep-alive', 'Content-Length': String(size), ...headers }
  const text = await raw(
    Buffer.concat([
      Buffer.from(message('POST /', kept)),
      Buffer.alloc(size, 'x'),
      Buffer.from(`${message('POST /', { 'Content-Length': '3' })}abc`),
    ]),
  )
  const second = text.lastIndexOf('HTTP/1.1 ')
  return [text.slice(0, second), text.slice(second)].map(part => [statusOf(part), bodyOf(part)])
}

test('a body is read where a handler asks for it', async () => {
  expect(await twice(reader, MAX_BODY_BYTES)).toEqual([
    [200, String(MAX_BODY_BYTES)],
    [200, '3'],
  ])
})

test('one that is too large is refused, and the connection goes on', async () => {
  expect(await twice(reader, 10 * MIB)).toEqual([
    [400, expect.stringContaining('must not be larger')],
    [200, '3'],
  ])
})

test.each(['application/json', 'nonsense', ''])(
  '10 MiB of %j that nobody reads are drained, and the connection goes on',
  async type => {
    const answers = await twice(echo, 10 * MIB, { 'Content-Type': type })
    expect(answers.map(([status]) => status)).toEqual([200, 200])
  },
)

test('a body read twice is an error, not a wait', async () => {
  const { raw } = await listen(
    toNode(async request => {
      await request.body()
      return reader(request)
    }),
  )
  const response = await raw(`${message('POST /', { 'Content-Length': '2' })}{}`)
  expect([statusOf(response), bodyOf(response)]).toEqual([400, expect.stringContaining('read before')])
})

test('a request without a body has an empty one', async () => {
  const { raw } = await listen(toNode(reader))
  expect(bodyOf(await raw(message('GET /')))).toBe('0')
})

test('a client that goes away while its body is read harms nothing', async () => {
  const asked = vi.fn()
  const listener = toNode(async request => {
    try {
      return await reader(request)
    } finally {
      asked()
    }
  })
  const { port, raw } = await listen(listener)
  const socket = connect(port, '127.0.0.1')
  socket.write(`${message('POST /', { 'Content-Length': '1000' })}half`, () =>
    setImmediate(() => socket.resetAndDestroy()),
  )
  await vi.waitFor(() => expect(asked).toHaveBeenCalled(), { timeout: 60_000 })
  expect(statusOf(await raw(message('GET /')))).toBe(200)
})
