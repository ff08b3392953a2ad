import { type VocabularyOption, wordOf } from './webhook-vocabulary.ts'

/**
 * The body of a delivery, `payload=…` in `application/x-www-form-urlencoded`, from a payment object that is JSON
 * already, its fields in the words that they are to have (API 6.3). These are the bytes to sign and to send.
 */
export function formatWebhook(paymentJson: string, { vocabulary }: VocabularyOption = {}): string {
  if (typeof paymentJson !== 'string') throw new TypeError('paymentJson must be a string of JSON')
  return new URLSearchParams({ [wordOf(vocabulary, 'payload')]: paymentJson }).toString()
}
