import { z } from 'zod'
import type { HttpRequest, HttpResponse } from '../handler.ts'

/** Which browser applications may call the API (API 1.2). Left out, all may. */
export interface CorsOptions {
  /** As browsers send them: `https://shop.example.com`, without a path. */
  origins: string[]
}

const isOrigin = (text: string) => URL.canParse(text) && new URL(text).origin === text

export const corsOptions = z.strictObject({
  origins: z.array(z.string().refine(isOrigin, 'must be an origin, such as https://shop.example.com')),
})

/** What every response may tell an application beside its body. */
export const READABLE = ['Retry-After', 'RateLimit', 'RateLimit-Policy', 'X-Request-Id']

const EXPOSED = [
  ...['X-Total', 'X-Total-Pages', 'X-Page', 'X-Per-Page', 'X-Next-Page', 'X-Prev-Page', 'X-Offset'],
  ...READABLE,
].join(', ')

const METHODS = 'GET, HEAD, POST'
const HEADERS = ['Authorization', 'Content-Type', 'Idempotency-Key']
const KNOWN = HEADERS.join(', ')
const LOWER_CASE = new Set(HEADERS.map(name => name.toLowerCase()))
/** Of what a browser asks for, so much is repeated: more than applications send by far. */
const MOST_HEADERS = 50
const LONGEST_QUESTION = 4096

const MAX_AGE_SECONDS = '7200'

/** True for the question a browser asks before a request of another origin. */
export function isPreflight({ method, headers }: HttpRequest): boolean {
  return (
    method === 'OPTIONS' &&
    headers.origin !== undefined &&
    headers['access-control-request-method'] !== undefined
  )
}

/**
 * The answer to a preflight. Headers that the API does not know are allowed when asked for: it ignores them, and a
 * browser application often cannot help sending them.
 */
export function preflight({ headers }: HttpRequest): HttpResponse {
  return {
    status: 204,
    headers: {
      'Access-Control-Allow-Methods': METHODS,
      'Access-Control-Allow-Headers': allowedHeaders(headers['access-control-request-headers'] ?? ''),
      'Access-Control-Max-Age': MAX_AGE_SECONDS,
    },
    body: null,
  }
}

function allowedHeaders(asked: string): string {
  if (asked === '') return KNOWN
  const others = asked
    .slice(0, LONGEST_QUESTION)
    .split(',', MOST_HEADERS)
    .map(name => name.trim().toLowerCase())
    .filter(name => /^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name) && !LOWER_CASE.has(name))
  return others.length === 0 ? KNOWN : `${KNOWN}, ${others.join(', ')}`
}

/** Adds the headers that let the application at the request's origin read the response. */
export type CorsStamp = (request: HttpRequest, response: HttpResponse) => void

/** Every response carries them, errors too. Credentials mode is never allowed: a key is sent in a header. */
export function corsStamp(options: CorsOptions | undefined): CorsStamp {
  if (options === undefined) return (_, { headers }) => stamp(headers, '*')
  const origins = new Set(options.origins)
  return (request, { headers }) => {
    headers.Vary = 'Origin'
    const { origin } = request.headers
    if (origin !== undefined && origins.has(origin)) stamp(headers, origin)
  }
}

function stamp(headers: Record<string, string>, origin: string): void {
  headers['Access-Control-Allow-Origin'] = origin
  headers['Access-Control-Expose-Headers'] = EXPOSED
}
