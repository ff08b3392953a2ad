import type { ErrorCode } from './error-code.ts'

/** What an `ApiError` is made of. */
interface ApiErrorFacts {
  status: number
  code: ErrorCode
  message: string
  requestId?: string | null
  retryAfter?: number | null
  idempotencyKey?: string | null
  cause?: unknown
}

/** A call that did not succeed, after its retries. Its `message` is for people, its `code` for programs (API 7). */
export class ApiError extends Error {
  /** `ApiError`. */
  override readonly name = 'ApiError'
  /** The HTTP status; 0 where no answer came. */
  readonly status: number
  /** What went wrong: one of a stable union. */
  readonly code: ErrorCode
  /** The answer's `X-Request-Id`, by which the provider finds the call in its log; null where none came. */
  readonly requestId: string | null
  /** How many seconds the answer asked to wait before the next call; null where it did not. */
  readonly retryAfter: number | null
  /**
   * Of `cashUps.create`: the key that it sent. Whether the period ended may be unknown; `create` again with this key ends it
   * once, and returns the same cash up if it had ended. Null for every other call.
   */
  readonly idempotencyKey: string | null

  /** Made by the client. */
  constructor({ status, code, message, requestId, retryAfter, idempotencyKey, cause }: ApiErrorFacts) {
    super(message, cause === undefined ? undefined : { cause })
    this.status = status
    this.code = code
    this.requestId = requestId ?? null
    this.retryAfter = retryAfter ?? null
    this.idempotencyKey = idempotencyKey ?? null
  }
}
