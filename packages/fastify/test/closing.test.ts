import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { toFastify } from '@tillkit/fastify'
import { type HttpResponse, json } from '@tillkit/http'
import { closeServer } from '@tillkit/node'
import fastify, { type FastifyInstance } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'

/** A connection to the server, and what has come back on it. */
async function dial({ server }: FastifyInstance) {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  const got = { text: '', error: '' }
  socket.on('data', piece => {
    got.text += piece
  })
  socket.on('error', ({ message }) => {
    got.error = message
  })
  const ended = new Promise(resolve => socket.once('close', resolve))
  const ask = (path: string) => void socket.write(`GET /v1${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  await once(socket, 'connect')
  return { socket, got, ended, ask }
}

test.each([
  [false, /^HTTP\/1\.1 200 .*^connection: close\r$.*"quick"$/ims],
  [true, /^HTTP\/1\.1 503 .*^connection: close\r$/ims],
])(
  'closed as the README says it answers what was sent on a connection that was kept (return503OnClosing: %s), and what is under way',
  async (return503OnClosing, expected) => {
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
    const { promise: answer, resolve: release } = Promise.withResolvers<HttpResponse>()
    const app = fastify({ return503OnClosing })
    const handler = toFastify(async ({ path }) => {
      if (path === '/quick') return json(200, 'quick')
      arrive()
      return answer
    })
    app.register(handler, { prefix: '/v1' })
    // The last that is sent before the server stops, which it, in this process, has not read.
    app.addHook('preClose', async () => idle.ask('/quick'))
    app.addHook('preClose', async () => void (await closeServer(app.server)))
    await app.listen({ port: 0, host: '127.0.0.1' })
    const [idle, slow] = [await dial(app), await dial(app)]
    idle.ask('/quick')
    await once(idle.socket, 'data')
    idle.got.text = ''
    slow.ask('/slow')
    await arrived
    const closed = app.close()
    await idle.ended
    expect(idle.got).toEqual({ text: expect.stringMatching(expected), error: '' })
    release(json(200, 'done'))
    await slow.ended
    expect(slow.got.text).toMatch(/^HTTP\/1\.1 200 .*^connection: close\r$.*"done"$/ims)
    await closed
  },
)
