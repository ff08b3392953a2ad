import { QrError } from '../qr-error.ts'
import { expirySeconds } from '../signature/expiry.ts'
import { checkPaymentKey } from '../signature/payment-key.ts'
import { hashOf, signatureOf } from '../signature/signature-of.ts'
import { checkOptions, checkText } from '../text.ts'
import { type ParameterName, type UrlWords, urlWords, type VocabularyOption } from '../vocabulary.ts'
import { codeUrl } from './code-url.ts'
import type { PaymentParameters } from './payment-parameters.ts'

/** What `paymentUrl` takes. */
export interface PaymentUrlOptions extends PaymentParameters, VocabularyOption {
  /** The absolute http or https address that serves the payment URLs, with or without a trailing slash. */
  qrBaseUrl: string
}

/** The longest query that a server reads, in characters as they are sent: what is longer is 414. */
const LONGEST_QUERY = 8 * 1024

/** How `paymentUrl` signs. */
export interface SignPaymentUrlOptions {
  /**
   * The secret that whoever verifies has among its keys: 32 to 256 printable characters of ASCII without a space, such as
   * `openssl rand -base64 32` prints.
   */
  key: string
  /** From when on the URL is no longer taken, to the second: a `Date` or an ISO 8601 date-time. It never ends when left out. */
  expiresAt?: Date | string
}

/**
 * Builds the URL a customer scans: `{qrBaseUrl}/qr/{scanCode}?id=…&amount=…&strict=true&name=value` (API 4.7).
 * `parsePaymentUrl` is its inverse; `strict: false` and an empty `extra` are the same as leaving them out.
 *
 * With a key the URL ends in `scan_code_signature`, and where it expires in `scan_code_expires` before that: `verifyPaymentUrl`
 * and hosts with `paymentKeys` then know that nobody without the key made it or changed what it says.
 *
 * @throws QrError naming the option that is at fault.
 */
export function paymentUrl(options: PaymentUrlOptions, signing?: SignPaymentUrlOptions): string {
  checkOptions(options)
  const { qrBaseUrl, scanCode, merchantReference, requiredAmount, strict, extra } = options
  const words = urlWords(options.vocabulary)
  const pairs: string[] = []
  const pair = (name: ParameterName, value: string) => encoded(words.wordOf[name], value)
  if (merchantReference !== undefined)
    pairs.push(pair('id', checkText('merchantReference', merchantReference)))
  if (requiredAmount !== undefined) pairs.push(pair('amount', checkAmount(requiredAmount)))
  if (checkStrict(strict)) pairs.push(pair('strict', 'true'))
  if (extra !== undefined) pairs.push(...extraPairs(extra, words))
  const url = codeUrl(qrBaseUrl, scanCode, words)
  if (signing !== undefined) pairs.push(...signaturePairs(options, signing, words))
  if (pairs.length === 0) return url
  return `${url}?${checkQuery(pairs.join('&'), merchantReference)}`
}

/** Names what takes up most of a query that is too long. */
function checkQuery(query: string, merchantReference = ''): string {
  if (query.length <= LONGEST_QUERY) return query
  const most = 2 * encodeURIComponent(merchantReference).length > query.length ? 'merchantReference' : 'extra'
  throw new QrError(
    most,
    `is too long: the query must have at most ${LONGEST_QUERY} characters once it is encoded, not ${query.length}`,
  )
}

function signaturePairs(
  { qrBaseUrl, ...parameters }: PaymentUrlOptions,
  signing: SignPaymentUrlOptions,
  words: UrlWords,
): string[] {
  if (typeof signing !== 'object' || signing === null) throw new QrError('key', 'must be given as { key }')
  const { key, expiresAt } = signing
  checkPaymentKey(key, 'key')
  const expires = expiresAt === undefined ? null : expirySeconds(expiresAt)
  const { scan_code_signature, scan_code_expires } = words.wordOf
  const address = codeUrl(qrBaseUrl, parameters.scanCode, words)
  const signature = encoded(scan_code_signature, signatureOf(hashOf({ address, parameters, expires }), key))
  return expires === null ? [signature] : [encoded(scan_code_expires, String(expires)), signature]
}

function encoded(name: string, value: string): string {
  return `${encodeURIComponent(name)}=${encodeURIComponent(value)}`
}

function checkAmount(amount: number): string {
  if (Number.isSafeInteger(amount) && amount >= 0) return amount.toFixed()
  throw new QrError('requiredAmount', 'must be a whole number of cents from 0 to 2^53 - 1')
}

function checkStrict(strict: boolean | undefined): boolean {
  if (strict === undefined || typeof strict === 'boolean') return strict ?? false
  throw new QrError('strict', 'must be true or false')
}

/** No extra parameter can have a name that means something here or in an image URL. */
function extraPairs(extra: Record<string, string>, { nameOf }: UrlWords): string[] {
  if (typeof extra !== 'object' || extra === null || Array.isArray(extra)) {
    throw new QrError('extra', 'must be an object of names and values')
  }
  return Object.entries(extra).map(([name, value]) => {
    if (nameOf.has(name))
      throw new QrError('extra', `must not have the name ${name}, which means something else`)
    return encoded(checkText('extra', name), checkText('extra', value))
  })
}
