import { connect } from 'node:net'
import { TillError } from '@tillkit/http'
import { toNode } from '@tillkit/node'
import { expect, test, vi } from 'vitest'
import { bodyOf, listen, message, statusOf } from './server.ts'

const masked = '{"message":"Internal server error","code":"internal"}'
const secret = new Error('hunter2')

test.each([
  ['rejects', () => Promise.reject(secret)],
  [
    'throws',
    () => {
      throw secret
    },
  ],
  ['throws nothing', () => Promise.reject(undefined)],
  ['throws a TillError', () => Promise.reject(new TillError('invalid_input', 'shown elsewhere'))],
  ['answers nothing', async () => undefined as never],
  ['answers a header that is none', async () => ({ status: 200, headers: { 'X-A': 'a\r\nb' }, body: 'x' })],
  ['answers a status that is none', async () => ({ status: 99, headers: {}, body: 'x' })],
])('a handler that %s is a masked 500, logged without headers', async (_, handler) => {
  const error = vi.fn()
  const { raw } = await listen(toNode({ '/v1': handler }, { logger: { error } }))
  const response = await raw(message('GET /v1/x', { Authorization: 'Basic c2VjcmV0Og==' }))
  expect([statusOf(response), bodyOf(response)]).toEqual([500, masked])
  expect(error).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ method: 'GET', path: '/v1/x' }),
    'request failed',
  )
  expect(JSON.stringify(error.mock.calls)).not.toContain('c2VjcmV0Og')
})

test('a body that is none breaks its connection only', async () => {
  const { raw } = await listen(
    toNode(async ({ path }) => ({ status: 200, headers: {}, body: path === '/bad' ? (5 as never) : 'fine' })),
  )
  await raw(message('GET /bad')).catch(() => {})
  expect(statusOf(await raw(message('GET /')))).toBe(200)
})

test('a client that goes away before the answer harms nothing', async () => {
  let release = () => {}
  const gone = new Promise<void>(resolve => {
    release = resolve
  })
  const answered = vi.fn()
  const { port, raw } = await listen(
    toNode(async ({ path }) => {
      if (path !== '/slow') return { status: 200, headers: {}, body: 'fine' }
      await gone
      answered()
      return { status: 200, headers: {}, body: 'x'.repeat(1024 * 1024) }
    }),
  )
  const socket = connect(port, '127.0.0.1')
  socket.on('close', () => release())
  socket.write(message('GET /slow'), () => setImmediate(() => socket.resetAndDestroy()))
  await vi.waitFor(() => expect(answered).toHaveBeenCalled(), { timeout: 60_000 })
  expect(statusOf(await raw(message('GET /')))).toBe(200)
})
