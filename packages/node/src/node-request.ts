import type { IncomingMessage } from 'node:http'
import { BodyBuffer, type HttpRequest } from '@tillkit/http'

/** What an adapter knows of a request beside Node's own object. */
export interface RequestFacts {
  /** Raw, below the mount; starts with `/`. */
  path: string
  /** Raw, without the `?`. */
  query: string
  secure: boolean
  remoteAddress: string | undefined
}

/** The neutral request of one of Node's: for adapters of frameworks that stand on `node:http`. */
export function httpRequest(request: IncomingMessage, facts: RequestFacts): HttpRequest {
  return new NodeRequest(request, facts)
}

class NodeRequest implements HttpRequest {
  readonly #request: IncomingMessage
  readonly method: string
  readonly path: string
  readonly query: string
  readonly secure: boolean
  readonly remoteAddress: string | undefined

  constructor(request: IncomingMessage, { path, query, secure, remoteAddress }: RequestFacts) {
    this.#request = request
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
    return readBody(this.#request)
  }
}

/**
 * Reads to the end, or to where it is too much. Then the rest is let go by unread, for the connection to go on: leaving
 * a `for await` would destroy it.
 */
function readBody(request: IncomingMessage): Promise<Uint8Array> {
  if (request.destroyed || request.readableEnded) {
    return Promise.reject(new Error('the body was read before, or its connection is gone'))
  }
  return new Promise((resolve, reject) => {
    const buffer = new BodyBuffer()
    request.on('data', piece => {
      try {
        buffer.add(piece)
      } catch (error) {
        request.removeAllListeners('data').resume()
        reject(error)
      }
    })
    request.once('end', () => resolve(buffer.bytes()))
    request.once('error', reject)
    request.once('close', () => reject(new Error('the connection closed before the end of the body')))
  })
}
