import { joined } from './joined-bytes.ts'
import { bodyIsGone, receiverOf } from './receiver.ts'
import type { PaymentHandler, WebhookOptions } from './webhook-options.ts'

/** Of Node's `IncomingMessage`, what a receiver uses. Express, Next's pages and cloud functions put their own beside. */
export interface NodeRequest {
  /** The method. */
  method?: string | undefined
  /** The headers, in lower case. */
  headers: Record<string, string | string[] | undefined>
  /** Whether anything of the body was read. */
  readableDidRead?: boolean
  /** Whether all of it was, though it be nothing. */
  readableEnded?: boolean
  /** Whether its connection is gone. */
  destroyed?: boolean
  /** What a parser made of the body: bytes and text are taken, all else is too late. */
  body?: unknown
  /** The bytes, where a framework keeps them. */
  rawBody?: unknown
  /** Tells of the body's bytes, its end, and what goes wrong. */
  on(event: string, listener: (...values: never[]) => void): unknown
}

/** Of Node's `ServerResponse`, what a receiver uses. */
export interface NodeResponse {
  /** Whether an answer was begun by somebody else. */
  headersSent: boolean
  /** Begins an answer. */
  writeHead(status: number, headers?: Record<string, string>): unknown
  /** Ends it. */
  end(): unknown
}

/**
 * A receiver for `node:http`: a listener, or a part of one that has routed. It answers as `fetchWebhooks` does, and reads the
 * body itself.
 */
export function nodeWebhooks<Request extends NodeRequest>(
  options: WebhookOptions<Request>,
  handler: PaymentHandler<Request>,
): (request: Request, response: NodeResponse) => Promise<void> {
  const receive = receiverOf(options, handler)
  return async (request, response) => {
    const status = await receive({
      request,
      method: request.method ?? '',
      header: name => request.headers[name],
      rawBody: maxBytes => bodyOf(request, maxBytes),
    })
    if (response.headersSent) return
    // What is left of a body that is too long is not waited for.
    if (status === 413) response.writeHead(status, { Connection: 'close' })
    else response.writeHead(status, status === 405 ? { Allow: 'POST' } : {})
    response.end()
  }
}

/**
 * A receiver for Express: `app.post('/webhooks/payments', expressWebhooks({ key }, handler))`, before `express.json()` and
 * `express.urlencoded()`. Behind `express.raw()` or `express.text()` it works as well. It answers as `fetchWebhooks` does.
 */
export function expressWebhooks<Request extends NodeRequest>(
  options: WebhookOptions<Request>,
  handler: PaymentHandler<Request>,
): (request: Request, response: NodeResponse) => Promise<void> {
  return nodeWebhooks(options, handler)
}

async function bodyOf(request: NodeRequest, maxBytes: number): Promise<string | Uint8Array | null> {
  for (const body of [request.rawBody, request.body]) {
    if (isBytes(body)) return body.byteLength > maxBytes ? null : body
    // One that is empty may be a parser's of other types, which has left the bytes where they are.
    if (typeof body === 'string' && (body !== '' || request.readableEnded))
      return body.length > maxBytes ? null : body
  }
  if (request.readableDidRead || request.readableEnded) {
    throw bodyIsGone(
      'a parser such as express.json() or express.urlencoded() has read it. Mount the receiver before the parser, or put express.raw({ type: "*/*" }) before the receiver',
    )
  }
  if (Number(request.headers['content-length']) > maxBytes) return null
  // Of one that is closed nothing comes any more, not even that.
  if (request.destroyed) throw endedEarly()
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = []
    let size = 0
    request.on('data', (chunk: Uint8Array) => {
      size += chunk.byteLength
      if (size > maxBytes) resolve(null)
      else chunks.push(chunk)
    })
    request.on('end', () => resolve(joined(chunks, size)))
    request.on('error', reject)
    request.on('close', () => reject(endedEarly()))
  })
}

const endedEarly = () => new Error('The webhook ended before its body did')

/** Bytes of any realm. */
function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && (value as Uint8Array)[Symbol.toStringTag] === 'Uint8Array'
}
