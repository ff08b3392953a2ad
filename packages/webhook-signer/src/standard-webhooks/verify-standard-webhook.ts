import { checkRawBody } from '../raw-body.ts'
import { isSame } from '../same-text.ts'
import { checkKey } from '../webhook-key.ts'
import { signStandardWebhook } from './sign-standard-webhook.ts'

type HeaderValue = string | readonly string[] | null | undefined

/** What `verifyStandardWebhook` takes. */
export interface ReceivedStandardWebhook {
  /** The request body exactly as received, before any parser. */
  rawBody: string | Uint8Array
  /** The value of `webhook-id`, however the framework gives it. */
  id: HeaderValue
  /** The value of `webhook-timestamp`. */
  timestamp: HeaderValue
  /** The value of `webhook-signature`. */
  signature: HeaderValue
  /** The webhook authentication key as it was issued. */
  key: string
  /** How many seconds the delivery may be older or newer than `now`: 300. */
  toleranceSeconds?: number
  /** The time; the machine's when left out. */
  now?: Date
}

/**
 * True when one of the signatures was made with the key, over this id, timestamp and body, and the timestamp is not too
 * far from now. False for anything missing or malformed; a receiver's own mistake throws a TypeError, as in
 * `verifyWebhook`.
 */
export function verifyStandardWebhook(received: ReceivedStandardWebhook): boolean {
  const { rawBody, id, timestamp, signature, key, toleranceSeconds = 300, now = new Date() } = received
  checkRawBody(rawBody)
  checkKey(key)
  if (typeof id !== 'string' || !/^[^.\s]+$/.test(id)) return false
  if (typeof timestamp !== 'string' || !/^[1-9]\d{0,14}$/.test(timestamp)) return false
  if (typeof signature !== 'string') return false
  const seconds = Number(timestamp)
  if (!(Math.abs(now.getTime() / 1000 - seconds) <= toleranceSeconds)) return false
  const expected = signStandardWebhook({ id, timestamp: seconds, rawBody, key })
  return signature.split(' ').some(one => isSame(one, expected))
}
