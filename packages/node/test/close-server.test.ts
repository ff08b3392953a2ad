import { once } from 'node:events'
import { Agent, request as ask, createServer, type RequestListener } from 'node:http'
import { connect as connectHttp2, createServer as createHttp2Server } from 'node:http2'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { HttpResponse } from '@tillkit/http'
import { closeServer, toNode } from '@tillkit/node'
import { expect, onTestFinished, test } from 'vitest'
import { listen, listenSecurely, message, statusOf } from './server.ts'

/** A connection to the port, and what has come back on it. */
async function dial(port: number) {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  const got = { text: '' }
  socket.on('data', piece => {
    got.text += piece
  })
  socket.on('error', () => {})
  const ended = once(socket, 'close')
  await once(socket, 'connect')
  return { socket, got, ended }
}

const said = (socket: Socket, got: { text: string }, pattern: RegExp) =>
  new Promise<void>(resolve => {
    const look = () => {
      if (pattern.test(got.text)) resolve()
      else socket.once('data', look)
    }
    look()
  })

/** Answers when it is told to. */
function held() {
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const listener: RequestListener = async (_request, response) => {
    arrive()
    await released
    response.end('done')
  }
  return { listener, arrived, release }
}

test('answers what is under way, half a request too, and takes no connection any more', async () => {
  const { listener, arrived, release } = held()
  const { port, server } = await listen(listener)
  const [whole, half] = [await dial(port), await dial(port)]
  whole.socket.write(message('GET /', { Connection: 'keep-alive' }))
  half.socket.write('GET /half HTTP/1.1\r\nHost: localhost\r\n')
  await arrived
  const closing = closeServer(server, { graceSeconds: 600 })
  expect(server.listening).toBe(false)
  const refused = await once(connect(port, '127.0.0.1'), 'error')
  expect(refused[0]).toMatchObject({ code: 'ECONNREFUSED' })
  release()
  half.socket.write('\r\n')
  await Promise.all([whole.ended, half.ended])
  expect([statusOf(whole.got.text), whole.got.text.endsWith('done')]).toEqual([200, true])
  expect(half.got.text).toMatch(/^HTTP\/1\.1 200 .*^connection: close\r$.*done$/ims)
  expect(await closing).toEqual({ cut: 0, milliseconds: expect.any(Number) })
})

test.each(['that was kept', 'that is new'])('answers what is on its way on a connection %s', async which => {
  const { port, server } = await listen((_request, response) => response.end('quick'))
  const accepted = once(server, 'connection')
  const { socket, got, ended } = await dial(port)
  await accepted
  const ask = () => socket.write(message('GET /', { Connection: 'keep-alive' }))
  if (which === 'that was kept') {
    ask()
    await said(socket, got, /quick$/)
    got.text = ''
  }
  // The server, which is in this process, has read nothing of it yet.
  ask()
  const closing = closeServer(server, { graceSeconds: 600 })
  await ended
  expect(got.text).toMatch(/^HTTP\/1\.1 200 .*^connection: close\r$.*quick$/ims)
  expect((await closing).cut).toBe(0)
  expect(Object.keys(server)).not.toContain('closeIdleConnections')
})

test('ends connections that clients keep, soon or when their answer is out', async () => {
  const { listener, arrived, release } = held()
  const { port, server } = await listen((request, response) => {
    if (request.url === '/quick') response.end('quick')
    else listener(request, response)
  })
  const agent = new Agent({ keepAlive: true, timeout: 600_000 })
  onTestFinished(() => agent.destroy())
  Object.assign(server, { keepAliveTimeout: 600_000 })
  const idle = await dial(port)
  idle.socket.write(message('GET /quick', { Connection: 'keep-alive' }))
  await said(idle.socket, idle.got, /quick$/)
  const slow = ask({ port, agent }).end()
  await arrived
  const closing = closeServer(server, { graceSeconds: 600 })
  await idle.ended
  release()
  const [response] = await once(slow, 'response')
  response.resume()
  expect(response.statusCode).toBe(200)
  expect((await closing).cut).toBe(0)
})

test('an answer of ours that was under way before says that its connection ends', async () => {
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
  const { promise: answer, resolve: release } = Promise.withResolvers<HttpResponse>()
  const handler = async () => {
    arrive()
    return answer
  }
  const { port, server } = await listen(toNode(handler))
  const { socket, got, ended } = await dial(port)
  socket.write(message('GET /', { Connection: 'keep-alive' }))
  await arrived
  const closing = closeServer(server, { graceSeconds: 600 })
  release({ status: 200, headers: {}, body: 'done' })
  await ended
  expect(got.text).toMatch(/^HTTP\/1\.1 200 .*^connection: close\r$.*done$/ims)
  expect((await closing).cut).toBe(0)
  const next = await listen(
    toNode(async () => ({ status: 200, headers: { 'content-length': '4' }, body: 'open' })),
  )
  const kept = await dial(next.port)
  kept.socket.write(message('GET /', { Connection: 'keep-alive' }))
  await said(kept.socket, kept.got, /open$/)
  expect(kept.got.text).toMatch(/^connection: keep-alive\r$/im)
})

test('cuts what is not over in time, and says how many', async () => {
  const { listener, arrived } = held()
  const { port, server } = await listen(listener)
  const stuck = await dial(port)
  stuck.socket.write(message('GET /'))
  await arrived
  expect((await closeServer(server, { graceSeconds: 0.2 })).cut).toBe(1)
  await stuck.ended
})

test('waits no longer for a connection that the host has made another protocol of', async () => {
  const { listener, arrived } = held()
  const { port, server } = await listen(listener)
  server.on('upgrade', (_request, socket) => {
    socket.on('error', () => {})
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: mine\r\n\r\n')
  })
  const [upgraded, stuck] = [await dial(port), await dial(port)]
  upgraded.socket.write(message('GET /', { Connection: 'Upgrade', Upgrade: 'mine' }))
  await said(upgraded.socket, upgraded.got, /^HTTP\/1\.1 101/)
  stuck.socket.write(message('GET /'))
  await arrived
  expect((await closeServer(server, { graceSeconds: 0.2 })).cut).toBe(1)
  await stuck.ended
  expect(upgraded.socket.closed).toBe(false)
})

test('waits no longer for a stream of HTTP/2 either', async () => {
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
  const server = createHttp2Server(() => arrive()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const session = connectHttp2(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  onTestFinished(() => session.destroy())
  session.on('error', () => {})
  session
    .request({ ':path': '/' })
    .on('error', () => {})
    .end()
  await arrived
  expect((await closeServer(server, { graceSeconds: 0.2 })).cut).toBe(0)
})

test('a close of the host’s own that throws is its error, and nothing is kept of it', async () => {
  const close = () => {
    throw new Error('of the host')
  }
  const server = Object.assign(createServer(), { close })
  await expect(closeServer(server)).rejects.toThrow('of the host')
  expect([server.listenerCount('request'), Object.hasOwn(server, 'closeIdleConnections')]).toEqual([0, false])
  const { raw } = await listen(toNode(async () => ({ status: 200, headers: {}, body: 'open' })))
  const answer = await raw('GET / HTTP/1.1\r\nHost: localhost\r\n\r\nGET / HTTP/1.0\r\n\r\n')
  expect(answer).toMatch(/^connection: keep-alive\r$/im)
})

test('over TLS, and twice', async () => {
  const { listener, arrived, release } = held()
  const { raw, server } = await listenSecurely(listener)
  const answer = raw(message('GET /'))
  await arrived
  const both = [closeServer(server), closeServer(server)]
  release()
  expect(statusOf(await answer)).toBe(200)
  for (const closed of await Promise.all(both)) expect(closed.cut).toBe(0)
  expect(await closeServer(server)).toMatchObject({ cut: 0 })
  expect(await closeServer(createServer())).toMatchObject({ cut: 0 })
})

test.each([
  [undefined, {}, 'server must be a server of node:http or node:https'],
  [{}, {}, 'server must be a server of node:http or node:https'],
  [createServer(), { graceSeconds: -1 }, 'graceSeconds must be a number of seconds, 0 to 3600'],
  [createServer(), { graceSeconds: '10' }, 'graceSeconds must be a number of seconds, 0 to 3600'],
])('refuses %o with %j', async (server, options, message) => {
  await expect(closeServer(server as never, options as never)).rejects.toMatchObject({
    code: 'invalid_input',
    message,
  })
})
