import { checkRawBody } from './raw-body.ts'
import type { WebhookPayment } from './webhook-payment.ts'

/**
 * The payment object of a delivery's body (API 6.3). Verify the body first: this looks at its form only, and
 * takes the fields of the object as they are.
 *
 * Throws a SyntaxError for a body without `payload`, with more than one, or with one that is no JSON object, and a
 * TypeError for a body that is neither a string nor bytes.
 */
export function parseWebhook(rawBody: string | Uint8Array): WebhookPayment {
  checkRawBody(rawBody)
  const text = typeof rawBody === 'string' ? rawBody : new TextDecoder().decode(rawBody)
  const [payload, ...more] = new URLSearchParams(text).getAll('payload')
  if (payload === undefined || more.length > 0) throw new SyntaxError('rawBody must have one field payload')
  const payment = parseJson(payload)
  if (typeof payment !== 'object' || payment === null || Array.isArray(payment)) {
    throw new SyntaxError('payload of rawBody must be a JSON object')
  }
  return payment as WebhookPayment
}

function parseJson(payload: string): unknown {
  try {
    return JSON.parse(payload)
  } catch (cause) {
    throw new SyntaxError('payload of rawBody is not JSON', { cause })
  }
}
