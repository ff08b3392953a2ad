import type { AddressInfo } from 'node:net'
import { toFastify } from '@tillkit/fastify'
import type { Adapter } from '@tillkit/http/adapter-conformance'
import fastify, { type FastifyInstance } from 'fastify'

export const serve: Adapter['serve'] = async ({ mounts, tls, trustsLoopback, parsesBodies }) => {
  const settings = { trustProxy: trustsLoopback ? 'loopback' : false }
  const app = (tls ? fastify({ ...settings, https: tls }) : fastify(settings)) as FastifyInstance
  if (parsesBodies) {
    for (const type of ['application/x-www-form-urlencoded', '*']) {
      app.addContentTypeParser(type, { parseAs: 'string' }, (_request, body, done) => done(null, body))
    }
  }
  app.setErrorHandler<Error>((error, _request, reply) => reply.code(500).send(`host: ${error.message}`))
  app.get('/host', async () => 'the host')
  app.post('/host', async request => request.body)
  app.get('/host/throws', async () => {
    throw new Error('thrown by the host')
  })
  for (const [prefix, handler] of Object.entries(mounts)) app.register(toFastify(handler), { prefix })
  await app.listen({ port: 0, host: '127.0.0.1' })
  return {
    port: (app.server.address() as AddressInfo).port,
    async close() {
      app.server.closeAllConnections()
      await app.close()
    },
  }
}
