import { isSame } from './same-text.ts'
import { signWebhook } from './sign-webhook.ts'
import type { VocabularyOption } from './webhook-vocabulary.ts'

/** What `verifyWebhook` takes. */
export interface ReceivedWebhook extends VocabularyOption {
  /** The request body exactly as received, before any parser. */
  rawBody: string | Uint8Array
  /** The value of the `Authorization` header, however the framework gives it. */
  authorization: string | readonly string[] | null | undefined
  /**
   * The value of the `webhook-signature-previous` header, however the framework gives it: for a while after a new key was
   * issued it has the signature of the key before.
   */
  previous?: string | readonly string[] | null | undefined
  /** The webhook authentication key that was issued to the merchant. */
  key: string
}

/**
 * True when the body was signed with the key (API 6.4 and 6.5), be it in `authorization` or in `previous`, which takes
 * the same time whatever the signatures have in common.
 *
 * False where neither is exactly `Service signature=`, or the vocabulary's word in place of `Service`, and 64 lower-case
 * hexadecimal digits: missing, say, or a list.
 * A receiver's own mistake throws a TypeError: an empty key, or a body that is neither a string nor bytes, such as one that a
 * parser has already had.
 */
export function verifyWebhook(received: ReceivedWebhook): boolean {
  const given = received ?? ({} as ReceivedWebhook)
  const { rawBody, authorization, previous, key } = given
  const expected = signWebhook(rawBody, key, given)
  return [authorization, previous].some(one => typeof one === 'string' && isSame(one, expected))
}
