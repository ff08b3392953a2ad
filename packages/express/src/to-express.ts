import { type HttpHandler, splitTarget, TillError } from '@tillkit/http'
import { httpRequest, letGo, writeResponse } from '@tillkit/node'
import type { RequestHandler } from 'express'

/**
 * A handler as Express middleware, for `app.use(path, …)` or a Router's `use`. It answers every path below its mount; what
 * it throws goes to `next`. Who the client is and whether it came over HTTPS follow Express' setting `trust proxy`. Throws
 * `TillError` `invalid_input` for what is not a handler.
 */
export function toExpress(handler: HttpHandler): RequestHandler {
  if (typeof handler !== 'function') throw new TillError('invalid_input', 'handler must be a function')

  return async (request, response, next) => {
    const { path, query } = splitTarget(request.url)
    // `OPTIONS *` is about the server, and not below any mount.
    if (!path.startsWith('/')) return next()
    const { secure, ip: remoteAddress, body } = request
    const neutral = httpRequest(request, { path, query, secure, remoteAddress, body })
    try {
      writeResponse(response, await handler(neutral))
    } finally {
      letGo(request, response)
    }
  }
}
