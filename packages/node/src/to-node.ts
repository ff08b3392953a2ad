import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  findMount,
  type HttpHandler,
  type HttpRequest,
  type Mounts,
  maskedError,
  mountTable,
  notMounted,
  splitTarget,
} from '@tillkit/http'
import { letGo } from './let-go.ts'
import { httpRequest } from './node-request.ts'
import { writeResponse } from './node-response.ts'
import { checkOptions, type NodeOptions } from './options.ts'
import { clientAddress, isSecure } from './trust-proxy.ts'

/** What `createServer` of `node:http` and `node:https` takes. */
export type NodeListener = (request: IncomingMessage, response: ServerResponse) => void

/**
 * A handler, or several by their paths, for `node:http` and `node:https`. An unknown path is a 404. Throws `TillError`
 * `invalid_input` naming the path or the option that is wrong.
 */
export function toNode(handler: HttpHandler | Mounts, options: NodeOptions = {}): NodeListener {
  const mounts = mountTable(handler)
  const { trust, logger } = checkOptions(options)

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { path, query } = splitTarget(request.url ?? '/')
    const headers = request.headers as HttpRequest['headers']
    try {
      const mount = findMount(mounts, path)
      if (mount === undefined) return writeResponse(response, notMounted({ headers }))
      const secure = isSecure(request, trust)
      const remoteAddress = clientAddress(request, trust)
      const neutral = httpRequest(request, { path: mount.path, query, secure, remoteAddress })
      writeResponse(response, await mount.handler(neutral))
    } catch (error) {
      const masked = maskedError(error, { method: request.method ?? '', path, headers }, logger)
      if (response.headersSent) response.destroy()
      else writeResponse(response, masked)
    } finally {
      letGo(request, response)
    }
  }

  return (request, response) => void answer(request, response)
}
