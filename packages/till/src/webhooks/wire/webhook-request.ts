import { type DeliveryKey, type Payment, paymentObject } from '@tillkit/domain'
import { formatWebhook, signStandardWebhook, signWebhook } from '@tillkit/webhook-signer'

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
  at: Date
  /** Adds the signature of Standard Webhooks where there is a key. */
  standardWebhooks: boolean
}

/**
 * The request of one attempt (API 6.3, 6.4): `payload=<JSON of the payment object>`, signed where a key was
 * issued, with `webhook-id` and, in Unix seconds, `webhook-timestamp`.
 */
export function webhookRequest({ payment, id, key, at, standardWebhooks }: WebhookContent): WebhookRequest {
  const body = Buffer.from(formatWebhook(JSON.stringify(paymentObject(payment))))
  const timestamp = Math.floor(at.getTime() / 1000)
  const headers: Record<string, string> = {
    'Content-Type': 'application/x-www-form-urlencoded',
    'Content-Length': String(body.byteLength),
    'User-Agent': 'Tillkit',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
  }
  if (key !== null) headers.Authorization = signWebhook(body, key)
  if (key !== null && standardWebhooks) {
    headers['webhook-signature'] = signStandardWebhook({ id, timestamp, rawBody: body, key })
  }
  return { body, headers }
}

/**
 * The same on every attempt of a delivery, so that a receiver can drop repeats. It holds no full stop, which Standard
 * Webhooks does not allow (it signs `<id>.<timestamp>.<body>`), and is unique for all that: `~` is in no merchant's id.
 */
export function webhookId({ merchantId, paymentId }: DeliveryKey): string {
  return `${merchantId.replaceAll('.', '~')}:${paymentId}`
}
