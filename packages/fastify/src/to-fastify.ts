import { type HttpHandler, splitTarget, TillError } from '@tillkit/http'
import { asSent, endWhereClosing, httpRequest, letGo } from '@tillkit/node'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { belowPrefix } from './below-prefix.ts'
import { leaveBodies } from './leave-bodies.ts'
import { checkRegisterOptions } from './register-options.ts'

/**
 * A handler as a Fastify plugin, for `app.register(…, { prefix })`. It answers every path below its prefix; what it throws
 * goes to the error handler. Who the client is and whether it came over HTTPS follow Fastify's option `trustProxy`. Throws
 * `TillError` `invalid_input` for what is not a handler, and when it is registered with an unknown option.
 */
export function toFastify(handler: HttpHandler): FastifyPluginAsync {
  if (typeof handler !== 'function') throw new TillError('invalid_input', 'handler must be a function')

  return async (instance, options) => {
    checkRegisterOptions(options)
    leaveBodies(instance)

    async function answer({ raw, protocol, ip: remoteAddress, body }: FastifyRequest, reply: FastifyReply) {
      const { path: whole, query } = splitTarget(raw.url ?? '/')
      const path = belowPrefix(whole, instance.prefix)
      const secure = protocol === 'https'
      try {
        const neutral = httpRequest(raw, { path, query, secure, remoteAddress, body })
        const { status, headers, body: sent } = await handler(neutral)
        endWhereClosing(raw, reply.raw)
        return reply
          .code(status)
          .headers(headers)
          .send(sent === null ? undefined : asSent(sent))
      } finally {
        letGo(raw, reply.raw, reply.statusCode) // which Fastify tells Node's own only when its hooks are done
      }
    }
    instance.all('/', answer)
    instance.all('/*', answer)
  }
}
