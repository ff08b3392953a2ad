import { type HttpHandler, splitTarget, TillError } from '@tillkit/http'
import { httpRequest } from '@tillkit/node'
import type { FastifyPluginAsync } from 'fastify'
import { belowPrefix } from './below-prefix.ts'

/**
 * A handler as a Fastify plugin, for `app.register(…, { prefix })`. It answers every path below its prefix; what it throws
 * goes to the error handler. Who the client is and whether it came over HTTPS follow Fastify's option `trustProxy`. Throws
 * `TillError` `invalid_input` for what is not a handler, and when it is registered with an unknown option.
 */
export function toFastify(handler: HttpHandler): FastifyPluginAsync {
  if (typeof handler !== 'function') throw new TillError('invalid_input', 'handler must be a function')

  return async (instance, options) => {
    checkOptions(options)
    // Bodies are the handler's, whatever their type: none is parsed, and none is refused. Fastify's own 415 for a malformed
    // type comes before any parser is looked for, so the type it sees is always a good one; the handler gets the sent one.
    instance.removeAllContentTypeParsers()
    instance.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    instance.addHook('preParsing', async request => {
      request.headers = { 'content-type': 'application/octet-stream' }
    })

    for (const url of ['/', '/*']) {
      instance.all(url, async (request, reply) => {
        const { path, query } = splitTarget(request.raw.url ?? '/')
        const { status, headers, body } = await handler(
          httpRequest(request.raw, {
            path: belowPrefix(path, instance.prefix),
            query,
            secure: request.protocol === 'https',
            remoteAddress: request.ip,
            body: request.body,
          }),
        )
        return reply
          .code(status)
          .headers(headers)
          .send(body ?? undefined)
      })
    }
  }
}

const REGISTER_OPTIONS = ['prefix', 'logLevel', 'logSerializers']

function checkOptions(options: object): void {
  const unknown = Object.keys(options).find(name => !REGISTER_OPTIONS.includes(name))
  if (unknown === undefined) return
  throw new TillError('invalid_input', `${unknown} is not a known name of the options of register`)
}
