import type { ServerResponse } from 'node:http'
import type { HttpResponse } from '@tillkit/http'

/** Longer text goes out faster as bytes of its own than joined to the head, which is encoded a character at a time. */
const LONG = 2048

/** Writes a neutral response to one of Node's. */
export function writeResponse(response: ServerResponse, { status, headers, body }: HttpResponse): void {
  response.writeHead(status, headers)
  if (body === null) response.end()
  else response.end(asSent(body))
}

/** A body in the form in which Node sends it soonest: for adapters of frameworks that write it themselves. */
export function asSent(body: string | Uint8Array): string | Uint8Array {
  return typeof body === 'string' && body.length > LONG ? Buffer.from(body) : body
}
