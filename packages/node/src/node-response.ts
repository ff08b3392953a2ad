import type { ServerResponse } from 'node:http'
import type { HttpResponse } from '@tillkit/http'

/** Writes a neutral response to one of Node's. */
export function writeResponse(response: ServerResponse, { status, headers, body }: HttpResponse): void {
  response.writeHead(status, headers)
  if (body === null) response.end()
  else response.end(body)
}
