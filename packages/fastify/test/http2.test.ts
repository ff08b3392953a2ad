import { connect, type OutgoingHttpHeaders } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { toFastify } from '@tillkit/fastify'
import { json } from '@tillkit/http'
import { closeServer } from '@tillkit/node'
import fastify from 'fastify'
import { expect, onTestFinished, test, vi } from 'vitest'

test('it works over HTTP/2', async () => {
  const app = fastify({ http2: true })
  const handler = toFastify(async request => {
    const { method, path } = request
    return json(200, { method, path, body: Buffer.from(await request.body()).toString() })
  })
  app.register(handler, { prefix: '/v1' })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const session = connect(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`)
  const stream = session.request({ ':path': '/v1/x%2Fy', ':method': 'POST' })
  stream.end('Grüße')
  expect(JSON.parse(await text(stream))).toEqual({ method: 'POST', path: '/x%2Fy', body: 'Grüße' })
  session.close()
  await app.close()
})

test('over HTTP/2, which takes any byte in an address, what is no ASCII is read as UTF-8', async () => {
  const app = fastify({ http2: true })
  const handler = toFastify(async ({ path, query }) => json(200, { path, query }))
  app.register(handler, { prefix: '/v1' })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const session = connect(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`)
  const target = Buffer.from('/v1/Café?a=Zoë+€').toString('latin1')
  const stream = session.request({ ':path': target })
  expect(JSON.parse(await text(stream))).toEqual({ path: '/Caf%C3%A9', query: 'a=Zo%C3%AB+%E2%82%AC' })
  session.close()
  await app.close()
})

test('over HTTP/2 a body without an end that nobody wants is cut off, and its connection goes on', async () => {
  const app = fastify({ http2: true })
  app.register(
    toFastify(async ({ path }) => json(200, { path })),
    { prefix: '/v1' },
  )
  await app.listen({ port: 0, host: '127.0.0.1' })
  const session = connect(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`)
  const endless = session.request({ ':path': '/v1/x', ':method': 'POST' })
  const closed = new Promise(resolve => endless.on('close', resolve))
  endless.on('error', () => {}).resume()
  const piece = Buffer.alloc(0x10000)
  const pump = () => {
    while (endless.writable && endless.write(piece));
  }
  endless.on('drain', pump)
  pump()
  await closed
  const next = session.request({ ':path': '/v1/y' })
  expect(JSON.parse(await text(next))).toEqual({ path: '/y' })
  session.close()
  await app.close()
})

test('over HTTP/2 the host that a client asks is in the header that HTTP/1 has it in', async () => {
  const app = fastify({ http2: true })
  const handler = toFastify(async ({ headers: { host, accept } }) => json(200, { host, accept }))
  app.register(handler, { prefix: '/v1' })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const session = connect(`http://127.0.0.1:${port}`)
  const asked = async (headers: OutgoingHttpHeaders) =>
    JSON.parse(await text(session.request({ ':path': '/v1/x', accept: 'text/html', ...headers })))
  expect(await asked({})).toEqual({ host: `127.0.0.1:${port}`, accept: 'text/html' })
  expect(await asked({ ':authority': 'pay.example.com' })).toMatchObject({ host: 'pay.example.com' })
  session.close()
  await app.close()
})

test('over HTTP/2 the headers of a request are one object, however often they are looked at', async () => {
  const app = fastify({ http2: true })
  const handler = toFastify(async request => {
    const [first, second] = [1, 2].map(() => request.headers)
    return json(200, { same: first === second })
  })
  app.register(handler, { prefix: '/v1' })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const session = connect(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`)
  expect(JSON.parse(await text(session.request({ ':path': '/v1/x' })))).toEqual({ same: true })
  session.close()
  await app.close()
})

test('over HTTP/2 what is answered while the server is being closed has no header of HTTP/1, of which Node would warn', async () => {
  const warn = vi.spyOn(process, 'emitWarning')
  onTestFinished(() => warn.mockRestore())
  const [arrived, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const app = fastify({ http2: true })
  const handler = toFastify(async ({ path }) => {
    arrived.resolve()
    await released.promise
    return json(200, { path })
  })
  app.register(handler, { prefix: '/v1' })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const session = connect(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`)
  const stream = session.request({ ':path': '/v1/x' })
  await arrived.promise
  const closed = closeServer(app.server)
  released.resolve()
  expect(JSON.parse(await text(stream))).toEqual({ path: '/x' })
  session.close()
  await closed
  expect(warn.mock.calls).toEqual([])
  await app.close()
})
