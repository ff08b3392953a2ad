import { joined } from './joined-bytes.ts'
import { bodyIsGone, receiverOf } from './receiver.ts'
import type { PaymentHandler, WebhookOptions } from './webhook-options.ts'

/**
 * A receiver for whatever speaks `Request` and `Response`: Next, Hono, Remix, Bun, Deno, Workers. It answers 204 when the
 * handler is done, 401 where no signature is right, 400 where the body is no payment, 413 where it is too long, 405 for other
 * methods, and 500 where the handler throws or the body was read before. Throws a TypeError naming an option that is wrong.
 */
export function fetchWebhooks(
  options: WebhookOptions<Request>,
  handler: PaymentHandler<Request>,
): (request: Request) => Promise<Response> {
  const receive = receiverOf(options, handler)
  return async request => {
    const status = await receive({
      request,
      method: request.method,
      header: name => request.headers.get(name),
      rawBody: maxBytes => bodyOf(request, maxBytes),
    })
    return new Response(null, { status, headers: status === 405 ? { Allow: 'POST' } : {} })
  }
}

async function bodyOf(request: Request, maxBytes: number): Promise<Uint8Array | null> {
  if (request.bodyUsed) throw bodyIsGone('request.text(), .json() or .formData() was called before')
  if (Number(request.headers.get('content-length')) > maxBytes) return null
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = request.body?.getReader()
  while (reader !== undefined) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.byteLength
    if (size > maxBytes) {
      await reader.cancel()
      return null
    }
    chunks.push(value)
  }
  return joined(chunks, size)
}
