import { parseWebhook, verifyWebhook, type WebhookPayment } from '@tillkit/webhook-signer'
import { type Words, wordsOf } from '../vocabulary/vocabulary.ts'
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
  const words = wordsOf(vocabulary)

  async function status({ method, header, rawBody, request }: Delivery<Request>): Promise<Status> {
    if (method !== 'POST') return 405
    const body = await rawBody(maxBytes)
    if (body === null) return 413
    const authorization = inOurScheme(header('authorization'), words)
    const previous = inOurScheme(header('webhook-signature-previous'), words)
    if (!verifyWebhook({ rawBody: body, authorization, previous, key })) return 401
    const payment = paymentOf(body, words)
    if (payment === null) return 400
    await (payment.id === 0 ? onTest?.(payment, request) : handler(payment, request))
    return 204
  }

  return async delivery => {
    try {
      return await status(delivery)
    } catch (error) {
      try {
        onError(error, delivery.request)
      } catch (another) {
        printed(another)
      }
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

/** A signature under the provider's scheme as one under ours; under another's it is none. */
function inOurScheme(header: ReturnType<Delivery<unknown>['header']>, { word }: Words) {
  if (typeof header !== 'string' || word('Service') === 'Service') return header
  const scheme = `${word('Service')} `
  return header.startsWith(scheme) ? `Service ${header.slice(scheme.length)}` : undefined
}

function paymentOf(body: string | Uint8Array, words: Words): WebhookPayment | null {
  try {
    return words.ours('payment', parseWebhook(inOurForm(body, words))) as WebhookPayment
  } catch {
    return null
  }
}

function inOurForm(body: string | Uint8Array, { word }: Words): string | Uint8Array {
  if (word('payload') === 'payload') return body
  const form = new URLSearchParams(typeof body === 'string' ? body : new TextDecoder().decode(body))
  const fields = form.getAll(word('payload')).map((value): [string, string] => ['payload', value])
  return new URLSearchParams(fields).toString()
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
