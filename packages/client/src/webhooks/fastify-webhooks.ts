import { receiverOf } from './receiver.ts'
import type { PaymentHandler, WebhookOptions } from './webhook-options.ts'

/** Of Fastify's request, what a receiver uses. */
export interface FastifyRequestLike {
  /** The method. */
  method: string
  /** The headers, in lower case. */
  headers: Record<string, string | string[] | undefined>
  /** The bytes, which the receiver's own parser leaves as they are. */
  body: unknown
}

/** Of Fastify's reply, what a receiver uses. */
export interface FastifyReplyLike {
  /** Sets the status. */
  code(status: number): FastifyReplyLike
  /** Sends an empty answer. */
  send(): FastifyReplyLike
}

/** Of a Fastify instance, what a receiver uses. */
export interface FastifyInstanceLike {
  /** Forgets the parsers that it has from its parents. */
  removeAllContentTypeParsers(): void
  /** Has bodies of any type left as they are. */
  addContentTypeParser(...values: never[]): unknown
  /** Adds the route. */
  post(...values: never[]): unknown
}

/** The forms in which those two are called here: Fastify's own types of them cannot be said without Fastify. */
interface Calls {
  addContentTypeParser(
    type: string,
    options: { parseAs: 'buffer'; bodyLimit: number },
    parser: (request: unknown, body: unknown, done: (error: null, body: unknown) => void) => void,
  ): unknown
  post(path: string, handler: (request: never, reply: FastifyReplyLike) => Promise<unknown>): unknown
}

/**
 * A receiver for Fastify: `app.register(fastifyWebhooks({ key }, handler), { prefix: '/webhooks/payments' })`. Its parser is
 * its own, whatever parsers the rest of the server has. It answers as `fetchWebhooks` does; a body that is too long is
 * answered by Fastify.
 */
export function fastifyWebhooks<Request extends FastifyRequestLike>(
  options: WebhookOptions<Request>,
  handler: PaymentHandler<Request>,
): (instance: FastifyInstanceLike) => Promise<void> {
  const receive = receiverOf(options, handler)
  const { maxBytes = 262_144 } = options
  return async instance => {
    instance.removeAllContentTypeParsers()
    const { addContentTypeParser, post } = instance as Calls
    const bytes = { parseAs: 'buffer', bodyLimit: maxBytes } as const
    addContentTypeParser.call(instance, '*', bytes, (_request, body, done) => done(null, body))
    post.call(instance, '/', async (request: Request, reply) => {
      const status = await receive({
        request,
        method: request.method,
        header: name => request.headers[name],
        rawBody: async () => (request.body ?? '') as Uint8Array,
      })
      return reply.code(status).send()
    })
  }
}
