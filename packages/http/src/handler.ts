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
  /** Reads the body, once, of at most `MAX_BODY_BYTES`; rejects with `TillError` `invalid_input` for a larger one. */
  body(): Promise<Uint8Array>
}

/** One response, complete: an adapter writes it as it is. */
export interface HttpResponse {
  status: number
  headers: Record<string, string>
  /** Text is written as UTF-8; null is no body at all. */
  body: string | Uint8Array | null
}

/** Answers a request. A handler of this package never rejects: what goes wrong is a response too. */
export type HttpHandler = (request: HttpRequest) => Promise<HttpResponse>

/** The largest body that `HttpRequest.body` reads. */
export const MAX_BODY_BYTES = 1024 * 1024
