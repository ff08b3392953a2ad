import { type TracingChannel, tracingChannel } from 'node:diagnostics_channel'
import { type Traced, traced } from '@tillkit/storage/channels'
import type { HttpHandler, HttpRequest, HttpResponse } from '../handler.ts'

/** A request that a handler answers: what is published on the channels of `tillkit:http.request`. */
export interface RequestMessage extends Traced {
  /** Whose request it is: `merchant_api`, `qr`, `checkout`, `console`, or what another handler is called. */
  handler: string
  /** As the handler got it, with all headers: whoever listens keeps what is secret in them to himself. */
  request: HttpRequest
  /** What `X-Request-Id` says in the answer; undefined until it is known. */
  requestId?: string | undefined
  /**
   * The path below the mount with names in the place of values, `/payments/{id}`; undefined until it is known, and for a path
   * at which nothing is.
   */
  route?: string | undefined
  /** The path as it may be told to others, where a part of it may not: the request's own where undefined. */
  path?: string | undefined
  /** The merchant whose API key it came with, or whose page it is; undefined until that is known, and where there is none. */
  merchantId?: string | undefined
  /** The answer. A handler of Tillkit's has one for every fault too. */
  result?: HttpResponse
  /** What a handler threw that should not. */
  error?: unknown
}

/**
 * `tillkit:http.request`, a tracing channel of `node:diagnostics_channel`: from when a handler gets a request until it has
 * its answer, which the adapter has yet to write.
 */
const requestChannel: TracingChannel<object, RequestMessage> = tracingChannel('tillkit:http.request')

/** Answers a request, and puts into the message, where there is one, what it learns on the way. */
export type PublishedAnswer = (request: HttpRequest, message?: RequestMessage) => Promise<HttpResponse>

/** The handler that answers so, and tells of its requests where somebody listens to `tillkit:http.request`. */
export function published(handler: string, answer: PublishedAnswer): HttpHandler {
  return request => {
    if (!requestChannel.hasSubscribers) return answer(request)
    const message: RequestMessage = { handler, request }
    return traced(requestChannel, message, () => answer(request, message))
  }
}
