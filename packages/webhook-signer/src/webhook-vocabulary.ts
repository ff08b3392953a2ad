import type { WebhookPayment } from './webhook-payment.ts'

type Words = { readonly [Name in keyof WebhookPayment]?: string | undefined }

/**
 * Other words for the names in a delivery, where its provider has them: `{ scanCode: 'snapCode', Service: 'SnapScan' }`. What is
 * not named stays, and names of other things (`perPage`, `scan_code_size`) are left to those, so that the whole vocabulary of a
 * provider is good here.
 */
export interface WebhookVocabulary extends Words {
  /** The field of the form. */
  readonly payload?: string | undefined
  /** The scheme before `signature=`. */
  readonly Service?: string | undefined
  /** What is no part of a delivery. */
  readonly [other: string]: string | undefined
}

/** The option `vocabulary` of what writes or reads a delivery. */
export interface VocabularyOption {
  /** The provider's words for the names in a delivery. */
  vocabulary?: WebhookVocabulary | undefined
}

/** The word for a name. Throws a TypeError for one that cannot be. */
export function wordOf(vocabulary: WebhookVocabulary | undefined, name: string): string {
  const word = vocabulary?.[name] ?? name
  if (typeof word === 'string' && /^[\w!#$%&'*+.^`|~-]+$/.test(word)) return word
  throw new TypeError(`vocabulary.${name} must be a word: letters, digits, _ and -`)
}
