import { addressOf } from './address.ts'
import type { PaymentParameters } from './payment-parameters.ts'
import { QrError } from './qr-error.ts'
import { type QueryPair, queryPairs } from './query.ts'
import { ABOUT_THE_URL } from './reserved-names.ts'
import { scanPath } from './scan-path.ts'
import { checkText } from './text.ts'

/**
 * Reads a payment URL (API 4.7) back into what it was built from, ready for `till.payments.start`.
 *
 * What the URL does not say is left out. Of a repeated extra name the last counts; a raw `+` is a space; an image extension,
 * `scan_code_size`, and the signature of a signed URL are dropped, and nothing is verified: `verifyPaymentUrl` does that; a fragment is ignored; `strict=false` is the same as no `strict`.
 *
 * @param url An absolute URL, or a path and query: `/qr/CODE?id=5`, `/CODE?id=5` below a mount, `CODE?id=5`.
 * @throws QrError naming the parameter: a repeated or malformed `id`, `amount` or `strict`, a path or code that is none,
 *   or a NUL character.
 */
export function parsePaymentUrl(url: string): PaymentParameters {
  const { path, query } = addressOf(url)
  return parametersOf(path, queryPairs(query))
}

/** What a path and the pairs of a query say. */
export function parametersOf(path: string, pairs: QueryPair[]): PaymentParameters {
  const { scanCode } = scanPath(path)
  const own = new Map<string, string>()
  const extra = new Map<string, string>()
  for (const { name, value } of pairs) {
    if (ABOUT_THE_URL.has(name)) continue
    if (name !== 'id' && name !== 'amount' && name !== 'strict') {
      extra.set(checkText('extra', name), checkText('extra', value))
    } else {
      if (own.has(name)) throw new QrError(name, 'must be given only once')
      own.set(name, checkText(name, value))
    }
  }
  const merchantReference = own.get('id')
  const requiredAmount = readAmount(own.get('amount'))
  const strict = readStrict(own.get('strict'))
  return {
    scanCode,
    ...(merchantReference !== undefined && { merchantReference }),
    ...(requiredAmount !== undefined && { requiredAmount }),
    ...(strict && { strict }),
    // fromEntries defines where an assignment would set a prototype: `__proto__` is a name like any other.
    ...(extra.size > 0 && { extra: Object.fromEntries(extra) }),
  }
}

function readAmount(amount: string | undefined): number | undefined {
  if (amount === undefined) return undefined
  if (/^[0-9]+$/.test(amount) && Number.isSafeInteger(Number(amount))) return Number(amount)
  throw new QrError('amount', 'must be a whole number of cents from 0 to 2^53 - 1')
}

function readStrict(strict: string | undefined): boolean {
  if (strict === undefined || strict === 'true' || strict === 'false') return strict === 'true'
  throw new QrError('strict', 'must be true')
}
