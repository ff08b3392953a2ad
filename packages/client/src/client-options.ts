import type { Vocabulary } from './vocabulary/vocabulary.ts'

/** Of `fetch`, what the client uses: `globalThis.fetch` is one, and so is a wrapper with an agent or a proxy of its own. */
export type Fetch = (url: string, init: FetchInit) => Promise<Response>

/** With what the client calls `fetch`. */
export interface FetchInit {
  /** The method. */
  method: 'GET' | 'POST'
  /** The headers, the key among them. */
  headers: Record<string, string>
  /** Never followed: the key would go along. */
  redirect: 'manual'
  /** No cookies, and no question for a password; left out where the runtime does not know it. */
  credentials?: 'omit'
  /** Aborted when the caller or the time ends the call. */
  signal: AbortSignal
}

/** What `createClient` takes. */
export interface ClientOptions {
  /** The API's base address, version included: `https://pay.example.com/v1`. A slash at its end changes nothing. */
  baseUrl: string
  /** The API key (API 5.1). */
  apiKey: string
  /** Sends the requests: `globalThis.fetch` when left out. */
  fetch?: Fetch | undefined
  /** How long a call may take, its retries and pauses included: 30 seconds. One attempt takes a third of it at most. */
  timeoutSeconds?: number | undefined
  /** How often a call is tried again after a network error, no answer in time, a 408, a 429 or a 5xx but `not_ready`: 5 times. */
  retries?: number | undefined
  /** The provider's own words for the names of the API; those that are left out stay. */
  vocabulary?: Vocabulary | undefined
  /** What payment URLs begin with, before `/qr`: the base address without its last part, `https://pay.example.com`, when left out, unless that ends in `/qr`. */
  qrBaseUrl?: string | undefined
  /** Send the key over plain HTTP to other machines as well. It can be read on the way. */
  allowHttp?: boolean | undefined
}
