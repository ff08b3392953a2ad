/** What a handler allows a body to cost. */
export interface BodyLimits {
  /** At most so many bytes: `MAX_BODY_BYTES` when left out. */
  bytes?: number
  /** Read within so many seconds from when the handler asks for it: `BODY_SECONDS` when left out. */
  seconds?: number
}

/** The largest body that `HttpRequest.body` reads where a handler does not say: 64 KiB. */
export const MAX_BODY_BYTES = 64 * 1024

/** For how long `HttpRequest.body` waits for the end of a body where a handler does not say. */
export const BODY_SECONDS = 10

/** What is read of a body that no handler wants, for its connection to go on: then the connection ends. */
export const UNREAD_LIMITS: Required<BodyLimits> = { bytes: 16 * 1024 * 1024, seconds: 10 }
