import type { DeliveryKey, Payment } from '@tillkit/domain'
import { signStandardWebhook } from '@tillkit/webhook-signer'
import type { WebhookWords } from './webhook-words.ts'

/** What goes over the wire: the bytes that are signed are the bytes that are sent. */
export interface WebhookRequest {
  body: Buffer
  headers: Record<string, string>
}

/** What a request is made of. */
export interface WebhookContent {
  payment: Payment
  /** `webhook-id`: the same on every attempt of one delivery. */
  id: string
  /** Null where none was issued. */
  key: string | null
  /** The key that it took the place of, where that signs as well for now. */
  previousKey: string | null
  at: Date
  /** Adds the signature of Standard Webhooks where there is a key. */
  standardWebhooks: boolean
  words: WebhookWords
}

/**
 * The request of one attempt (API 6.3, 6.4): `payload=<JSON of the payment object>`, signed where a key was
 * issued, with `webhook-id` and, in Unix seconds, `webhook-timestamp`. While the key before signs as well, its signature is in
 * `webhook-signature-previous`, and among those of Standard Webhooks the second.
 */
export function webhookRequest(content: WebhookContent): WebhookRequest {
  const { payment, id, key, previousKey, at, standardWebhooks, words } = content
  const body = Buffer.from(words.body(payment))
  const timestamp = Math.floor(at.getTime() / 1000)
  const headers: Record<string, string> = {
    'Content-Type': 'application/x-www-form-urlencoded',
    'Content-Length': String(body.byteLength),
    'User-Agent': 'Tillkit',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
  }
  const keys = [key, previousKey].filter(one => one !== null)
  const [signature, previous] = keys.map(one => words.sign(body, one))
  if (signature !== undefined) headers.Authorization = signature
  if (previous !== undefined) headers[PREVIOUS] = previous
  if (keys.length > 0 && standardWebhooks) {
    const signatures = keys.map(one => signStandardWebhook({ id, timestamp, rawBody: body, key: one }))
    headers['webhook-signature'] = signatures.join(' ')
  }
  return { body, headers }
}

const PREVIOUS = 'webhook-signature-previous'

/**
 * The same request with the signature of the key before where receivers have always looked for one; null where there is
 * none. For a receiver that has only that key, and refused the other's.
 */
export function signedAsBefore({ body, headers }: WebhookRequest): WebhookRequest | null {
  const { [PREVIOUS]: Authorization, ...rest } = headers
  return Authorization === undefined ? null : { body, headers: { ...rest, Authorization } }
}

/**
 * The same on every attempt of a delivery, so that a receiver can drop repeats. It holds no full stop, which Standard
 * Webhooks does not allow (it signs `<id>.<timestamp>.<body>`), and is unique for all that: `~` is in no merchant's id.
 */
export function webhookId({ merchantId, paymentId }: DeliveryKey): string {
  return `${merchantId.replaceAll('.', '~')}:${paymentId}`
}
