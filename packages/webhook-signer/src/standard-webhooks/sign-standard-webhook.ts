import { base64 } from '../base64.ts'
import { checkRawBody } from '../raw-body.ts'
import { signatureHash } from '../signature-hash.ts'
import { checkKey } from '../webhook-key.ts'

/** What the signature of Standard Webhooks covers, and the key. */
export interface StandardWebhook {
  /** The value of `webhook-id`, without a full stop. */
  id: string
  /** The value of `webhook-timestamp`: whole Unix seconds. */
  timestamp: number
  /** The bytes that are sent, or their text. */
  rawBody: string | Uint8Array
  /** The webhook authentication key as it was issued. */
  key: string
}

/**
 * The `webhook-signature` value of Standard Webhooks, `v1,<base64>`: the HMAC-SHA256 of `<id>.<timestamp>.<body>`, keyed
 * with the bytes of the webhook authentication key. Beside the body it covers when the delivery was sent and which it is.
 *
 * Throws a TypeError for an empty key, an id with a full stop, a timestamp that is not whole seconds, and a body that is
 * neither a string nor bytes.
 */
export function signStandardWebhook({ id, timestamp, rawBody, key }: StandardWebhook): string {
  checkRawBody(rawBody)
  checkKey(key)
  if (typeof id !== 'string' || !/^[^.\s]+$/.test(id))
    throw new TypeError('id must be text without a full stop')
  if (!Number.isSafeInteger(timestamp)) throw new TypeError('timestamp must be whole seconds')
  const text = new TextEncoder()
  const head = text.encode(`${id}.${timestamp}.`)
  const body = typeof rawBody === 'string' ? text.encode(rawBody) : rawBody
  const message = new Uint8Array(head.length + body.length)
  message.set(head)
  message.set(body, head.length)
  const hash = signatureHash(message, key).match(/../g) ?? []
  return `v1,${base64(Uint8Array.from(hash, byte => Number.parseInt(byte, 16)))}`
}
