import { TillError, type TillErrorCode } from '@tillkit/domain'
import { CommitUnknownError, DatabaseError } from '@tillkit/storage'
import { ClockError, type Logger, loggerFor } from '@tillkit/till'
import type { HttpRequest, HttpResponse } from '../handler.ts'
import { RequestError } from '../request/request-error.ts'
import { requestId, stampRequestId } from '../request/request-id.ts'
import { type ErrorCode, errorObject } from './json.ts'

/** Errors that a caller can act on (API 7). */
const ANSWERS: Record<TillErrorCode, [status: number, code: ErrorCode]> = {
  invalid_input: [400, 'invalid_parameter'],
  not_found: [404, 'not_found'],
  conflict: [409, 'conflict'],
  not_ready: [500, 'not_ready'],
}

/** When to ask again: soon, since a database is mostly back within seconds. */
const RETRY_AFTER = { 'Retry-After': '2' }

const LONGEST_PATH = 1024

/** Of a request, what its error is answered and logged with. */
export type FailedRequest = Pick<HttpRequest, 'method' | 'path'> & Partial<Pick<HttpRequest, 'headers'>>

/** What an endpoint's error becomes. Whatever is not the caller's fault is logged under the request's id, and masked. */
export function errorResponse(
  error: unknown,
  request: FailedRequest,
  id: string,
  logger: Pick<Logger, 'error'>,
): HttpResponse {
  if (error instanceof RequestError) return requestRefused(error)
  // Bad input, but the host's and not the caller's.
  if (!(error instanceof TillError) || error instanceof ClockError) return fault(error, request, id, logger)
  const [status, code] = ANSWERS[error.code]
  return errorObject(status, code, error.message, error.code === 'not_ready' ? RETRY_AFTER : undefined)
}

/** Where the rest of a body is not waited for, its connection ends with the answer. */
function requestRefused({ status, message }: RequestError): HttpResponse {
  const headers = status === 408 ? { Connection: 'close' } : undefined
  return errorObject(status, 'invalid_parameter', message, headers)
}

/**
 * A 500 that tells the client nothing but its `X-Request-Id`, or a 503 where it is the database. The log line has the id,
 * the error, the method and the path, and no header. For adapters, of what a handler throws; without a logger it goes to
 * stderr.
 */
export function maskedError(
  error: unknown,
  request: FailedRequest,
  logger?: Pick<Logger, 'error'> | false,
): HttpResponse {
  const id = requestId({ headers: request.headers ?? {} })
  const response = fault(error, request, id, loggerFor(logger))
  stampRequestId(id, response)
  return response
}

function fault(
  error: unknown,
  request: FailedRequest,
  id: string,
  logger: Pick<Logger, 'error'>,
): HttpResponse {
  const fields = {
    requestId: id,
    err: error,
    method: request.method,
    path: request.path.slice(0, LONGEST_PATH),
  }
  if (error instanceof DatabaseError) {
    logger.error(fields, 'request failed: the database')
    return errorObject(503, 'unavailable', whatNow(error, request), RETRY_AFTER)
  }
  logger.error(fields, 'request failed')
  return errorObject(500, 'internal', 'Internal server error')
}

function whatNow(error: DatabaseError, { headers }: FailedRequest): string {
  if (!(error instanceof CommitUnknownError)) return 'Unavailable for a moment, please try again'
  return headers?.['idempotency-key'] === undefined
    ? 'Whether this took place is unknown: look before asking again; with an Idempotency-Key it is safe to ask again'
    : 'Whether this took place is unknown: ask again with the same Idempotency-Key, and it takes place once'
}
