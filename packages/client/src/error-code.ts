/** What the API says went wrong (API 7.1). */
export type ApiErrorCode =
  | 'unauthorised'
  | 'https_required'
  | 'not_found'
  | 'method_not_allowed'
  | 'invalid_parameter'
  | 'conflict'
  | 'not_ready'
  | 'rate_limited'
  | 'suspended'
  | 'unavailable'
  | 'internal'

/** What the client says itself: no answer came, none came in time, or what came is not the API's. */
export type ClientErrorCode = 'network' | 'timeout' | 'unexpected_answer'

/** The `code` of an `ApiError`. None is ever taken away; a new one comes with a new minor version. */
export type ErrorCode = ApiErrorCode | ClientErrorCode

const OF_THE_API: Record<ApiErrorCode, true> = {
  unauthorised: true,
  https_required: true,
  not_found: true,
  method_not_allowed: true,
  invalid_parameter: true,
  conflict: true,
  not_ready: true,
  rate_limited: true,
  suspended: true,
  unavailable: true,
  internal: true,
}

/** Whether a code of an answer is one that this version knows. */
export function isApiErrorCode(code: unknown): code is ApiErrorCode {
  return typeof code === 'string' && Object.hasOwn(OF_THE_API, code)
}

const BY_STATUS: Record<number, ErrorCode> = {
  400: 'invalid_parameter',
  401: 'unauthorised',
  404: 'not_found',
  405: 'method_not_allowed',
  409: 'conflict',
  414: 'invalid_parameter',
}

/** Of an error object that has no code, or one of a later version: what its status says. */
export function codeByStatus(status: number): ErrorCode {
  return BY_STATUS[status] ?? codeOfStranger(status)
}

/** Of an error that is no error object, from a proxy for example: it may be busy or away like a server, and says no more. */
export function codeOfStranger(status: number): ErrorCode {
  if (status === 429) return 'rate_limited'
  if (status === 502 || status === 503 || status === 504) return 'unavailable'
  return status >= 500 ? 'internal' : 'unexpected_answer'
}
