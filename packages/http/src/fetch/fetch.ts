import type { BodyLimits } from '../body/body-limits.ts'
import { inPieces, piecesOf } from '../body/body-pieces.ts'
import { readRequestBody } from '../body/request-body.ts'
import type { HttpHandler, HttpRequest, HttpResponse } from '../handler.ts'
import { findMount, type Mounts, mountTable, notMounted } from '../mounts.ts'
import { splitTarget } from '../request/target.ts'
import { maskedError } from '../response/error-response.ts'
import { checkFetchOptions, type FetchOptions } from './fetch-options.ts'

/** What a `Request` does not say, from a host that knows. */
export interface FetchInfo {
  /** The client's IP address. Requests without are counted together in the limits by address. */
  remoteAddress?: string
  /** Whether the client's side of a proxy was HTTPS; by the URL when left out. */
  secure?: boolean
}

/** Takes a WHATWG request and answers with a response. */
export type FetchHandler = (request: Request, info?: FetchInfo) => Promise<Response>

/**
 * A handler, or several by their paths, for everything that speaks `Request` and `Response`: Hono, Next, Bun, Deno.
 * An unknown path is a 404. What is not in `info` is taken from the request. Throws `TillError` `invalid_input` naming the
 * path or the option that is wrong.
 */
export function toFetch(handler: HttpHandler | Mounts, options: FetchOptions = {}): FetchHandler {
  const mounts = mountTable(handler)
  const { logger } = checkFetchOptions(options)
  return async (request, info) => {
    const [url = ''] = request.url.split('#', 1)
    const { path, query } = splitTarget(url)
    const mount = findMount(mounts, path)
    if (mount === undefined) return response(request, notMounted({ headers: idHeader(request) }))
    try {
      const neutral = neutralRequest(request, { ...info }, mount.path, query)
      return response(request, await mount.handler(neutral))
    } catch (error) {
      const { method } = request
      return response(request, maskedError(error, { method, path, headers: idHeader(request) }, logger))
    }
  }
}

function idHeader({ headers }: Request): HttpRequest['headers'] {
  return { 'x-request-id': headers.get('x-request-id') ?? undefined }
}

function neutralRequest(request: Request, info: FetchInfo, path: string, query: string): HttpRequest {
  return {
    method: request.method,
    path,
    query,
    headers: Object.fromEntries(request.headers),
    secure: typeof info.secure === 'boolean' ? info.secure : request.url.startsWith('https:'),
    remoteAddress: typeof info.remoteAddress === 'string' ? info.remoteAddress : undefined,
    body: (limits?: BodyLimits) => readRequestBody(request, limits),
  }
}

/** TypeScript's bytes may be shared memory, which none of ours are. */
type Sendable = string | Uint8Array<ArrayBuffer> | null

function response({ method }: Request, { status, headers, body }: HttpResponse): Response {
  // Pieces are let go of by who sends them. All else Node's servers leave out by themselves; who sends a `Response` may not.
  const whole = method === 'HEAD' ? null : (body as Sendable)
  return new Response(inPieces(body) ? piecesOf(body) : whole, { status, headers })
}
