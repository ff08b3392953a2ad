import { TillError, type TillErrorCode } from '@tillkit/domain'
import type { Logger } from '@tillkit/till'
import type { HttpRequest, HttpResponse } from './handler.ts'
import { errorObject } from './json.ts'

/** Errors that a caller can act on, and their statuses (specification 7). */
const STATUSES: Record<TillErrorCode, number> = {
  invalid_input: 400,
  not_found: 404,
  conflict: 409,
  not_ready: 500,
}

/** What an endpoint's error becomes. Whatever is not the caller's fault is logged and masked. */
export function errorResponse(
  error: unknown,
  request: HttpRequest,
  logger: Pick<Logger, 'error'> | undefined,
): HttpResponse {
  if (!(error instanceof TillError)) return maskedError(error, request, logger)
  const headers = error.code === 'not_ready' ? { 'Retry-After': '2' } : undefined
  return errorObject(STATUSES[error.code], error.message, headers)
}

/** A 500 that tells the client nothing. The log line has the error, the method and the path, and no header. */
export function maskedError(
  error: unknown,
  { method, path }: Pick<HttpRequest, 'method' | 'path'>,
  logger: Pick<Logger, 'error'> | undefined,
): HttpResponse {
  logger?.error({ err: error, method, path }, 'request failed')
  return errorObject(500, 'Internal server error')
}
