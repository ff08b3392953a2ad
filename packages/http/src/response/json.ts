import { Buffer } from 'node:buffer'
import { z } from 'zod'
import type { HttpResponse } from '../handler.ts'

/** A JSON response, compact, with its length and never to be stored (API 1). */
export function json(status: number, value: unknown, headers?: Record<string, string>): HttpResponse {
  const body = JSON.stringify(value)
  return {
    status,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': String(Buffer.byteLength(body)),
      'Cache-Control': 'no-store',
      ...headers,
    },
    body,
  }
}

/** What went wrong, for a program to act on (API 7.1). */
export const ERROR_CODES = [
  'unauthorised',
  'https_required',
  'not_found',
  'method_not_allowed',
  'invalid_parameter',
  'conflict',
  'not_ready',
  'rate_limited',
  'suspended',
  'unavailable',
  'internal',
] as const

/** What went wrong, for a program to act on (API 7.1). */
export type ErrorCode = (typeof ERROR_CODES)[number]

/** An error on the wire (API 2.3). */
export const errorObjectSchema = z
  .object({
    message: z.string().describe('For people to read; of a wrong parameter it says which.'),
    code: z.enum(ERROR_CODES).describe('For programs to act on.'),
  })
  .describe('What went wrong.')

/** An error object (API 2.3): `{ "message", "code" }`. */
export function errorObject(
  status: number,
  code: ErrorCode,
  message: string,
  headers?: Record<string, string>,
): HttpResponse {
  return json(status, { message, code }, headers)
}

/** For a key whose merchant is suspended, whatever it asks for. */
export function suspended(): HttpResponse {
  return errorObject(403, 'suspended', 'This account is suspended')
}

/** For paths that nothing is at. */
export function notFound(): HttpResponse {
  return errorObject(404, 'not_found', 'Not found')
}

/** For methods that a path does not have; `allow` lists those it has. */
export function methodNotAllowed(allow: string): HttpResponse {
  return errorObject(405, 'method_not_allowed', `Method not allowed; use ${allow}`, { Allow: allow })
}
