import { QrError } from './qr-error.ts'

/**
 * Other words for the names in a payment URL, for a provider whose customers and merchants know such URLs under other names:
 * `{ scan_code_size: 'snap_code_size' }`. What is not named stays, and names of other things (`scanCode`, `Service`) are left
 * to those, so that one vocabulary is good for all of them.
 */
export interface PaymentUrlVocabulary {
  /** The parameter of the order number. */
  readonly id?: string | undefined
  /** The parameter of the amount. */
  readonly amount?: string | undefined
  /** The parameter of strict mode. */
  readonly strict?: string | undefined
  /** The parameter of an image's size. */
  readonly scan_code_size?: string | undefined
  /** The parameter of a signature. */
  readonly scan_code_signature?: string | undefined
  /** The parameter of a signed URL's end. */
  readonly scan_code_expires?: string | undefined
  /** The word of the path, between the base URL and the scan code. */
  readonly qr?: string | undefined
  /** What is no part of a payment URL. */
  readonly [other: string]: string | undefined
}

/** The option `vocabulary` of what reads payment URLs. */
export interface VocabularyOption {
  /** Other words for the names in a URL. */
  vocabulary?: PaymentUrlVocabulary | undefined
}

const PARAMETERS = [
  'id',
  'amount',
  'strict',
  'scan_code_size',
  'scan_code_signature',
  'scan_code_expires',
] as const

/** A parameter that is not part of a payment's `extra`. */
export type ParameterName = (typeof PARAMETERS)[number]

/** What the parts of a payment URL are called. */
export interface UrlWords {
  /** The word of the path. */
  qr: string
  wordOf: Readonly<Record<ParameterName, string>>
  /** The parameters by their words; any other is part of `extra`. */
  nameOf: ReadonlyMap<string, ParameterName>
}

/** Needs no escape in a URL. */
const WORD = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/

const OWN = compile({})

/** Those of a host go with each of his requests, and are not read again for each. */
const compiled = new WeakMap<PaymentUrlVocabulary, UrlWords>()

/** The words of a vocabulary; throws QrError naming the entry that is not fit, or the word of another. */
export function urlWords(vocabulary: PaymentUrlVocabulary | undefined): UrlWords {
  if (vocabulary === undefined) return OWN
  const known = compiled.get(vocabulary)
  if (known !== undefined) return known
  const words = compile(vocabulary)
  if (Object.isFrozen(vocabulary)) compiled.set(vocabulary, words)
  return words
}

function compile(vocabulary: PaymentUrlVocabulary): UrlWords {
  if (typeof vocabulary !== 'object' || vocabulary === null)
    throw new QrError('vocabulary', 'must be an object of words by their names')
  const nameOf = new Map<string, ParameterName>()
  for (const name of PARAMETERS) {
    const word = wordIn(vocabulary, name)
    const other = nameOf.get(word)
    if (other !== undefined) {
      const [named, owner] = word === name ? [other, name] : [name, other]
      throw new QrError(`vocabulary.${named}`, `must not be ${word}, the word for ${owner} beside it`)
    }
    nameOf.set(word, name)
  }
  const wordOf = Object.fromEntries([...nameOf].map(([word, name]) => [name, word]))
  return { qr: wordIn(vocabulary, 'qr'), wordOf: wordOf as UrlWords['wordOf'], nameOf }
}

function wordIn(vocabulary: PaymentUrlVocabulary, name: ParameterName | 'qr'): string {
  const word = vocabulary[name] ?? name
  if (typeof word === 'string' && WORD.test(word)) return word
  throw new QrError(
    `vocabulary.${name}`,
    'must be a word of 1 to 64 letters, digits, _ and - that begins with a letter',
  )
}
