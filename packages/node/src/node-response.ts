import type { ServerResponse } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import { type HttpResponse, inPieces } from '@tillkit/http'
import { endWhereClosing } from './last-answers.ts'

/** Longer text goes out faster as bytes of its own than joined to the head, which is encoded a character at a time. */
const LONG = 2048

/** Writes a neutral response to one of Node's. */
export function writeResponse(response: ServerResponse, { status, headers, body }: HttpResponse): void {
  endWhereClosing(response.req, response)
  response.writeHead(status, headers)
  if (body === null) return void response.end()
  if (isAscii(body)) return void response.end(body, 'latin1')
  const sent = asSent(body)
  // Where its pieces fail in the middle the connection is cut; where the client goes away they are ended.
  if (sent instanceof Readable) pipeline(sent, response, () => {})
  else response.end(sent)
}

/** Text whose characters are its bytes: Node sends it with the head, in one piece, and encodes none of it. */
function isAscii(body: NonNullable<HttpResponse['body']>): body is string {
  return typeof body === 'string' && Buffer.byteLength(body) === body.length
}

/** A body in the form in which Node sends it soonest: for adapters of frameworks that write it themselves. */
export function asSent(body: NonNullable<HttpResponse['body']>): string | Uint8Array | Readable {
  if (inPieces(body)) return Readable.from(body, { objectMode: false })
  return typeof body === 'string' && body.length > LONG ? Buffer.from(body) : body
}
