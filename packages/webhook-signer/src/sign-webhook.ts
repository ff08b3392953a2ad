import { checkRawBody } from './raw-body.ts'
import { signatureHash } from './signature-hash.ts'
import { checkKey } from './webhook-key.ts'
import { type VocabularyOption, wordOf } from './webhook-vocabulary.ts'

/**
 * The whole `Authorization` value of a delivery, `Service signature=<hash>`, where the hash is the lower-case
 * hexadecimal HMAC-SHA256 of the raw body, keyed with the webhook authentication key (API 6.4).
 *
 * A string is signed as its UTF-8. Throws a TypeError for an empty key, for a body that is neither a string nor bytes, and for
 * a word for `Service` that is none.
 */
export function signWebhook(
  rawBody: string | Uint8Array,
  key: string,
  { vocabulary }: VocabularyOption = {},
): string {
  checkRawBody(rawBody)
  checkKey(key)
  return `${wordOf(vocabulary, 'Service')} signature=${signatureHash(rawBody, key)}`
}
