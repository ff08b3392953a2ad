import type { IncomingMessage } from 'node:http'
import type { HttpRequest } from '@tillkit/http'
import { readBody } from './read-body.ts'

/** What an adapter knows of a request beside Node's own object. */
export interface RequestFacts {
  /** Raw, below the mount; starts with `/`. */
  path: string
  /** Raw, without the `?`. */
  query: string
  secure: boolean
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
  readonly #body: unknown
  readonly method: string
  readonly path: string
  readonly query: string
  readonly secure: boolean
  readonly remoteAddress: string | undefined

  constructor(request: IncomingMessage, { path, query, secure, remoteAddress, body }: RequestFacts) {
    this.#request = request
    this.#body = body === undefined ? request : body
    this.method = request.method ?? 'GET'
    this.path = path
    this.query = query
    this.secure = secure
    this.remoteAddress = remoteAddress
  }

  get headers(): HttpRequest['headers'] {
    // Node gives a list for set-cookie only, which is no header of requests.
    return this.#request.headers as HttpRequest['headers']
  }

  body(): Promise<Uint8Array> {
    return readBody(this.#body)
  }
}
