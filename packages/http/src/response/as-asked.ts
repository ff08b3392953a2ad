import { Buffer } from 'node:buffer'
import { inPieces } from '../body/body-pieces.ts'
import type { HttpRequest, HttpResponse } from '../handler.ts'

/** What is sent of a response: with its length, and to `HEAD` without its body. */
export function asAsked({ method }: HttpRequest, response: HttpResponse): HttpResponse {
  const { body, headers } = response
  if (body === null) return response
  // The length of what is not there yet is not known.
  if (!inPieces(body) && !hasLength(headers)) headers['Content-Length'] = String(Buffer.byteLength(body))
  if (method === 'HEAD') response.body = null
  return response
}

function hasLength(headers: Record<string, string>): boolean {
  return (
    'Content-Length' in headers || Object.keys(headers).some(name => name.toLowerCase() === 'content-length')
  )
}
