import type { FastifyInstance } from 'fastify'

/**
 * Leaves all bodies of an encapsulated instance to the handler, whatever their type: none is parsed, and none is a 415.
 * Fastify refuses a malformed type, and a `QUERY` without one, before it looks for a parser, so it is shown a good one; the
 * handler gets the sent one.
 */
export function leaveBodies(instance: FastifyInstance): void {
  instance.removeAllContentTypeParsers()
  instance.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
  instance.addHook('preParsing', (request, _reply, _payload, done) => {
    if (request.raw.headers['content-type'] !== undefined || request.method === 'QUERY') {
      request.headers = { 'content-type': 'application/octet-stream' }
    }
    done()
  })
}
