import { randomBytes } from 'node:crypto'
import type { HttpRequest, HttpResponse } from '../handler.ts'

const FIT = /^[A-Za-z0-9._-]{1,128}$/

/** Ids of one process count up, and differ from those of another by what they begin with. */
const PROCESS = randomBytes(6).toString('base64url')
let made = 0

/** The request's own `X-Request-Id`, where it is 1 to 128 of `A-Za-z0-9._-`; a made one otherwise, each time another. */
export function requestId({ headers }: Pick<HttpRequest, 'headers'>): string {
  const own = headers['x-request-id']
  if (own !== undefined && FIT.test(own)) return own
  made += 1
  return `${PROCESS}-${made.toString(36)}`
}

/** Names the request in its response, so that a client can say which one it was. */
export function stampRequestId(id: string, { headers }: HttpResponse): void {
  headers['X-Request-Id'] = id
}
