import { ApiError } from '../api-error.ts'
import { codeByStatus, codeOfStranger, isApiErrorCode } from '../error-code.ts'
import type { Settings } from '../settings.ts'
import type { Received } from './attempt.ts'
import { parseJson } from './parse-json.ts'
import type { ApiRequest } from './request.ts'
import { retryAfterSeconds } from './retry-delay.ts'

/** A call's success: JSON, and the headers beside it. */
export interface Answer {
  value: unknown
  status: number
  headers: Headers
}

/** What came, read: the JSON of a success, or the `ApiError` of everything else. */
export function readAnswer(received: Received, request: ApiRequest, settings: Settings): Answer {
  const { status, headers, redirected } = received
  if (redirected) {
    throw unexpected(
      received,
      request,
      settings,
      'a redirect, which is not followed: the key would go with it',
    )
  }
  const value = parsed(received)
  if (status === 200 && value !== undefined) return { value, status, headers }
  if (status >= 400 && typeof value === 'object' && value !== null) {
    const { message, code } = settings.words.ours('error', value) as { message?: unknown; code?: unknown }
    if (typeof message === 'string') throw apiError(received, settings, message, code)
  }
  throw unexpected(received, request, settings, description(received, settings))
}

/** An answer of the API's form that is not what the call answers with. */
export function unfit({ status, headers }: Answer, request: ApiRequest, what: string): ApiError {
  const message = `${request.method} ${request.path} was answered with ${what}`
  return new ApiError({ status, code: 'unexpected_answer', message, requestId: headers.get('x-request-id') })
}

function apiError({ status, headers }: Received, { redacted }: Settings, message: string, code: unknown) {
  return new ApiError({
    status,
    code: isApiErrorCode(code) ? code : codeOfOldServer(status, message),
    message: redacted(message),
    requestId: headers.get('x-request-id'),
    retryAfter: retryAfterSeconds(headers),
  })
}

/** Servers of this API that are older than its codes say that in words alone. */
function codeOfOldServer(status: number, message: string) {
  return status === 500 && /not ready/i.test(message) ? 'not_ready' : codeByStatus(status)
}

function unexpected({ status, headers }: Received, request: ApiRequest, settings: Settings, what: string) {
  return new ApiError({
    status,
    code: status >= 400 ? codeOfStranger(status) : 'unexpected_answer',
    message: settings.redacted(`${request.method} ${request.path} was not answered by the API: ${what}`),
    requestId: headers.get('x-request-id'),
    retryAfter: retryAfterSeconds(headers),
  })
}

function parsed({ body }: Received): unknown {
  try {
    return parseJson(body ?? '')
  } catch {
    return undefined
  }
}

function description({ status, headers, body }: Received, { redacted }: Settings): string {
  if (body === null) return `status ${status}, and more than 16 MiB`
  const type = headers.get('content-type') ?? 'of no type'
  // Whole, since nobody knows a key again that is cut.
  const beginning = redacted(body).slice(0, 80).replace(/\s+/g, ' ').trim()
  return `status ${status}, ${type}, ${beginning === '' ? 'empty' : `beginning with ${beginning}`}`
}
