import { parseWebhook, verifyWebhook, type WebhookPayment } from '@tillkit/webhook-signer'
import { type Vocabulary, wordsOf } from '../vocabulary/vocabulary.ts'
import type { PaymentHandler, WebhookOptions } from './webhook-options.ts'

/** A delivery as it came, of any framework. */
interface Delivery<Request> {
  method: string
  header(name: string): string | readonly string[] | null | undefined
  /** The whole body; null where it is longer than `maxBytes`. Rejects where it cannot be had. */
  rawBody(maxBytes: number): Promise<string | Uint8Array | null>
  request: Request
}

/** The status that a delivery is answered with. Never rejects. */
export type Receiver<Request> = (delivery: Delivery<Request>) => Promise<Status>

/** 405 has an `Allow: POST` beside it. */
type Status = 204 | 400 | 401 | 405 | 413 | 500

const MAX_BYTES = 262_144

/** What all receivers do. Throws a TypeError naming an option that is wrong. */
export function receiverOf<Request>(
  options: WebhookOptions<Request>,
  handler: PaymentHandler<Request>,
): Receiver<Request> {
  const { key, onTest, onError = printed, vocabulary, maxBytes = MAX_BYTES } = checked(options, handler)
  wordsOf(vocabulary) // throws for one that cannot be

  async function status({ method, header, rawBody, request }: Delivery<Request>): Promise<Status> {
    if (method !== 'POST') return 405
    const body = await rawBody(maxBytes)
    if (body === null) return 413
    const authorization = header('authorization')
    const previous = header('webhook-signature-previous')
    if (!verifyWebhook({ rawBody: body, authorization, previous, key, vocabulary })) return 401
    const payment = paymentOf(body, vocabulary)
    if (payment === null) return 400
    await (payment.id === 0 ? onTest?.(payment, request) : handler(payment, request))
    return 204
  }

  /** Not waited for. */
  async function told(error: unknown, request: Request): Promise<void> {
    try {
      await onError(error, request)
    } catch (another) {
      printed(another)
    }
  }

  return async delivery => {
    try {
      return await status(delivery)
    } catch (error) {
      void told(error, delivery.request)
      return 500
    }
  }
}

const OPTIONS = ['key', 'onTest', 'onError', 'vocabulary', 'maxBytes']

function checked<Request>(options: WebhookOptions<Request>, handler: unknown): WebhookOptions<Request> {
  if (typeof options !== 'object' || options === null) throw new TypeError('options must be an object')
  const unknown = Object.keys(options).find(name => !OPTIONS.includes(name))
  if (unknown !== undefined) throw new TypeError(`${unknown} is not an option: ${OPTIONS.join(', ')} are`)
  const { key, onTest, onError, maxBytes } = options
  if (typeof key !== 'string' || key === '') {
    throw new TypeError('key must be the webhook authentication key, not empty')
  }
  if (typeof handler !== 'function') throw new TypeError('handler must be a function')
  for (const [name, value] of Object.entries({ onTest, onError })) {
    if (value !== undefined && typeof value !== 'function') throw new TypeError(`${name} must be a function`)
  }
  if (maxBytes !== undefined && !(Number.isSafeInteger(maxBytes) && maxBytes > 0)) {
    throw new TypeError('maxBytes must be a whole number of bytes')
  }
  return options
}

function paymentOf(body: string | Uint8Array, vocabulary: Vocabulary | undefined): WebhookPayment | null {
  try {
    return parseWebhook(body, { vocabulary })
  } catch {
    return null
  }
}

function printed(error: unknown): void {
  console.error(error)
}

/** What is wrong where a parser has had the body; nobody can check the signature of what it made. */
export function bodyIsGone(what: string): Error {
  return new Error(
    `The webhook's raw body is gone: ${what}. Its signature is over the bytes as they came, so the receiver must get the request before any parser does`,
  )
}
