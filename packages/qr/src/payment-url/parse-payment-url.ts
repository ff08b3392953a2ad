import { addressOf } from '../address.ts'
import { QrError } from '../qr-error.ts'
import { isMangled, type QueryPair, queryPairs } from '../query.ts'
import { checkText } from '../text.ts'
import { type UrlWords, urlWords, type VocabularyOption } from '../vocabulary.ts'
import type { PaymentParameters } from './payment-parameters.ts'
import { scanPath } from './scan-path.ts'

/**
 * Reads a payment URL (API 4.7) back into what it was built from, ready for `till.payments.start`.
 *
 * What the URL does not say is left out. Of a repeated extra name the last counts; a raw `+` is a space; an image extension,
 * `scan_code_size`, and the signature of a signed URL are dropped, and nothing is verified: `verifyPaymentUrl` does that; a fragment is ignored; `strict=false` is the same as no `strict`.
 *
 * @param url An absolute URL, or a path and query: `/qr/CODE?id=5`, `/CODE?id=5` below a mount, `CODE?id=5`.
 * @param options Other words for the names in it. What has none of these words is part of `extra`.
 * @throws QrError naming the parameter: a repeated or malformed `id`, `amount` or `strict`, an `id` of bytes that are no UTF-8, a
 *   path or code that is none, or a NUL character.
 */
export function parsePaymentUrl(url: string, { vocabulary }: VocabularyOption = {}): PaymentParameters {
  const words = urlWords(vocabulary)
  const { path, query } = addressOf(url, words)
  return parametersOf(path, queryPairs(query), words)
}

/** What says something of the payment itself; other parameters say it of the URL, and are never part of `extra`. */
const ABOUT_THE_PAYMENT = ['id', 'amount', 'strict'] as const

type About = (typeof ABOUT_THE_PAYMENT)[number]

/** What a path and the pairs of a query say. */
export function parametersOf(path: string, pairs: QueryPair[], words: UrlWords): PaymentParameters {
  const { scanCode } = scanPath(path, words)
  const own = new Map<About, string>()
  const extra = new Map<string, string>()
  for (const pair of pairs) {
    const { name: word, value } = pair
    const name = words.nameOf.get(word)
    if (name === undefined) extra.set(checkText('extra', word), checkText('extra', value))
    else if (isAboutThePayment(name)) {
      if (own.has(name)) throw new QrError(name, 'must be given only once', { word })
      if (isMangled(pair)) throw new QrError(name, 'must be UTF-8', { word })
      own.set(name, checkText(name, value, word))
    }
  }
  const merchantReference = own.get('id')
  const requiredAmount = readAmount(own.get('amount'), words.wordOf.amount)
  const strict = readStrict(own.get('strict'), words.wordOf.strict)
  return {
    scanCode,
    ...(merchantReference !== undefined && { merchantReference }),
    ...(requiredAmount !== undefined && { requiredAmount }),
    ...(strict && { strict }),
    // fromEntries defines where an assignment would set a prototype: `__proto__` is a name like any other.
    ...(extra.size > 0 && { extra: Object.fromEntries(extra) }),
  }
}

function isAboutThePayment(name: string): name is About {
  return (ABOUT_THE_PAYMENT as readonly string[]).includes(name)
}

function readAmount(amount: string | undefined, word: string): number | undefined {
  if (amount === undefined) return undefined
  if (/^[0-9]+$/.test(amount) && Number.isSafeInteger(Number(amount))) return Number(amount)
  throw new QrError('amount', 'must be a whole number of cents from 0 to 2^53 - 1', { word })
}

function readStrict(strict: string | undefined, word: string): boolean {
  if (strict === undefined || strict === 'true' || strict === 'false') return strict === 'true'
  throw new QrError('strict', 'must be true', { word })
}
