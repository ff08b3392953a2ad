import { TillError } from '@tillkit/domain'
import type { HttpHandler } from '../handler.ts'
import { json } from '../response/json.ts'

/** Answers with what it got, as JSON. It does not read the body. */
export const echo: HttpHandler = async ({ method, path, query, headers, secure, remoteAddress }) =>
  json(200, { method, path, query, headers, secure, remoteAddress })

/** Answers with the bytes of the body, or with 400 and why there are none. */
export const bodyEcho: HttpHandler = async request => {
  try {
    const body = await request.body()
    const headers = { 'Content-Type': 'application/octet-stream', 'Content-Length': String(body.length) }
    return { status: 200, headers, body }
  } catch (error) {
    return json(400, { code: error instanceof TillError ? error.code : null })
  }
}

/** Answers with its own name and the path it got. */
export function named(name: string): HttpHandler {
  return async ({ path }) => json(200, { name, path })
}
