import type { BodyLimits } from './body/body-limits.ts'

/** One request, the same small object whichever server it came from. */
export interface HttpRequest {
  /** As it was sent, upper case by convention. */
  method: string
  /** Below the mount, undecoded; starts with `/`. */
  path: string
  /** What follows the first `?`, undecoded; empty when there is nothing. */
  query: string
  /** By lower-case name; one that was given several times is joined as Node joins it. */
  headers: Readonly<Record<string, string | undefined>>
  /** Whether it came over HTTPS, as far as the adapter trusts whoever says so. */
  secure: boolean
  /** The client's IP address; undefined where the server does not tell. */
  remoteAddress: string | undefined
  /**
   * Reads the body, once, within the limits, which a handler may narrow. Rejects with `RequestError`, a `TillError`
   * `invalid_input`, for one that is too large (413) or that does not end in time (408).
   */
  body(limits?: BodyLimits): Promise<Uint8Array>
}

/**
 * A body in pieces, for what is too long to be held: an adapter asks for the next piece when the client has taken the one before, and
 * ends the iteration when the client goes away. Where it throws in the middle the connection is cut, so that nobody takes the
 * half for the whole; what it threw is for whoever made it to log.
 */
export type BodyPieces = AsyncIterable<string | Uint8Array>

/** One response, complete: an adapter writes it as it is. */
export interface HttpResponse {
  /** The HTTP status. */
  status: number
  /** By their names as they are written. */
  headers: Record<string, string>
  /** Text is written as UTF-8; null is no body at all. */
  body: string | Uint8Array | BodyPieces | null
}

/** Answers a request. A handler of this package never rejects: what goes wrong is a response too. */
export type HttpHandler = (request: HttpRequest) => Promise<HttpResponse>
