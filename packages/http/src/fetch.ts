import { BodyBuffer } from './body.ts'
import { maskedError } from './error-response.ts'
import { checkFetchOptions, type FetchOptions } from './fetch-options.ts'
import type { HttpHandler, HttpRequest, HttpResponse } from './handler.ts'
import { notFound } from './json.ts'
import { findMount, type Mounts, mountTable } from './mounts.ts'
import { splitTarget } from './target.ts'

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
    if (mount === undefined) return response(notFound())
    const neutral = neutralRequest(request, { ...info }, mount.path, query)
    try {
      return response(await mount.handler(neutral))
    } catch (error) {
      return response(maskedError(error, { method: neutral.method, path }, logger))
    }
  }
}

function neutralRequest(request: Request, info: FetchInfo, path: string, query: string): HttpRequest {
  return {
    method: request.method,
    path,
    query,
    headers: Object.fromEntries(request.headers),
    secure: typeof info.secure === 'boolean' ? info.secure : request.url.startsWith('https:'),
    remoteAddress: typeof info.remoteAddress === 'string' ? info.remoteAddress : undefined,
    body: () => readBody(request),
  }
}

async function readBody({ body }: Request): Promise<Uint8Array> {
  const buffer = new BodyBuffer()
  if (body === null) return buffer.bytes()
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return buffer.bytes()
      buffer.add(value)
    }
  } catch (error) {
    // Cancelled, the rest of a body that is too large would take its connection with it, and the answer.
    void drain(reader).catch(() => {})
    throw error
  }
}

async function drain(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  while (!(await reader.read()).done);
}

function response({ status, headers, body }: HttpResponse): Response {
  return new Response(body, { status, headers })
}
