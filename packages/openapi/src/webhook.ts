import type { JsonObject } from './document.ts'
import { refTo } from './schema.ts'

const HASH = '[0-9a-f]{64}'

const header = (name: string, required: boolean, description: string, schema: JsonObject): JsonObject => ({
  name,
  in: 'header',
  required,
  description,
  schema,
})

/** The request that a merchant's own server gets when a payment has its outcome (API 6). */
export function paymentWebhook(): JsonObject {
  return {
    post: {
      operationId: 'paymentOutcome',
      summary: 'A payment has its outcome',
      description:
        'Sent to the URL in the account when a payment becomes `completed` or `error`, once for each; never for `pending`. It ' +
        'arrives at least once, in no order: remember `webhook-id`, and answer a repeat with 2xx. A payment with the `id` 0 is a ' +
        'test. Any 2xx within 15 seconds is a success; after all else it is tried again for about a day. Whoever has seen a ' +
        'delivery can send it again, so fetch the payment by its id before goods leave the shop.',
      tags: ['Webhook'],
      security: [{ webhookSignature: [] }],
      parameters: [
        header('webhook-id', true, 'The same on each attempt of one delivery, another for each payment.', {
          type: 'string',
        }),
        header('webhook-timestamp', true, 'When this attempt was made, in seconds since 1970.', {
          type: 'integer',
          minimum: 0,
        }),
        header(
          'webhook-signature',
          false,
          'Where the provider has it on: a signature as Standard Webhooks defines it, with the same key; two while two keys sign.',
          { type: 'string', pattern: '^v1,[A-Za-z0-9+/]+=*( v1,[A-Za-z0-9+/]+=*)*$' },
        ),
        header(
          'webhook-signature-previous',
          false,
          'While a new key overlaps the one before: the signature that the key before makes, in the form of `Authorization`.',
          { type: 'string', pattern: `^Service signature=${HASH}$` },
        ),
      ],
      requestBody: {
        required: true,
        content: {
          'application/x-www-form-urlencoded': {
            schema: {
              type: 'object',
              required: ['payload'],
              properties: {
                payload: {
                  type: 'string',
                  description: 'The payment as JSON.',
                  contentMediaType: 'application/json',
                  contentSchema: refTo('Payment'),
                },
              },
            },
          },
        },
      },
      responses: {
        '2XX': { description: 'It arrived. What is in the body does not matter.' },
        '410': { description: 'It is not to be sent again.' },
        '429': {
          description:
            'Not now: it is tried again after `Retry-After`, up to a day; from the fourth attempt on, not before its time.',
          headers: later(),
        },
        '503': {
          description:
            'Not now: it is tried again after `Retry-After`, up to a day; from the fourth attempt on, not before its time.',
          headers: later(),
        },
        default: { description: 'It failed, and is tried again.' },
      },
    },
  }
}

const later = (): JsonObject => ({
  'Retry-After': { description: 'Seconds, or a date.', schema: { type: 'string' } },
})

/** How its signature is sent. */
export const webhookSignature: JsonObject = {
  type: 'apiKey',
  in: 'header',
  name: 'Authorization',
  description:
    '`Service signature=` and 64 lower-case hexadecimal digits: the HMAC-SHA256 of the bytes of the body exactly as they came, ' +
    'keyed with the webhook key. There where a webhook key was issued. Compare in constant time.',
}
