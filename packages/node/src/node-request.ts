import type { IncomingMessage } from 'node:http'
import { type BodyLimits, type HttpRequest, ipAddress } from '@tillkit/http'
import { readBody } from './read-body.ts'

/** What an adapter knows of a request beside Node's own object. */
export interface RequestFacts {
  /** Raw, below the mount; starts with `/`. */
  path: string
  /** Raw, without the `?`. */
  query: string
  /** Whether it came over HTTPS, as far as a proxy that says so is trusted. */
  secure: boolean
  /** As the framework has it: what is around an address (a port, brackets) goes, and what is none is undefined. */
  remoteAddress: string | undefined
  /**
   * What the framework's own parsers made of the body: bytes, text or a stream is what a handler reads, of anything else it
   * learns that the body is gone. Undefined where none has been at it: then the handler reads the request.
   */
  body?: unknown
}

/** The neutral request of one of Node's: for adapters of frameworks that stand on `node:http`. */
export function httpRequest(request: IncomingMessage, facts: RequestFacts): HttpRequest {
  return new NodeRequest(request, facts)
}

class NodeRequest implements HttpRequest {
  readonly #request: IncomingMessage
  readonly #parsed: unknown
  #headers: HttpRequest['headers'] | undefined
  readonly method: string
  readonly path: string
  readonly query: string
  readonly secure: boolean
  readonly remoteAddress: string | undefined

  constructor(request: IncomingMessage, { path, query, secure, remoteAddress, body }: RequestFacts) {
    this.#request = request
    this.#parsed = body
    this.method = request.method ?? 'GET'
    this.path = path
    this.query = query
    this.secure = secure
    this.remoteAddress = ipAddress(remoteAddress)
  }

  get headers(): HttpRequest['headers'] {
    this.#headers ??= this.#readHeaders()
    return this.#headers
  }

  #readHeaders(): HttpRequest['headers'] {
    // Node gives a list for set-cookie only, which is no header of requests.
    const headers = this.#request.headers as HttpRequest['headers']
    const authority = headers[':authority']
    // In HTTP/2 that is what HTTP/1 calls the host, which forms and addresses are compared with.
    return authority === undefined ? headers : { ...headers, host: authority }
  }

  body(limits?: BodyLimits): Promise<Uint8Array> {
    return readBody(this.#request, this.#parsed, limits)
  }
}
