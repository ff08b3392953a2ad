import { codeUrl } from './code-url.ts'
import type { PaymentParameters } from './payment-parameters.ts'
import { QrError } from './qr-error.ts'
import { checkText } from './text.ts'

/** What `paymentUrl` takes. */
export interface PaymentUrlOptions extends PaymentParameters {
  /** The absolute http or https address that serves the payment URLs, with or without a trailing slash. */
  qrBaseUrl: string
}

/** Names of the query that mean something here or in an image URL, so that no extra parameter can carry them. */
const reserved = new Set(['id', 'amount', 'strict', 'scan_code_size'])

/**
 * Builds the URL a customer scans: `{qrBaseUrl}/qr/{scanCode}?id=…&amount=…&strict=true&name=value` (specification 4.7).
 * `parsePaymentUrl` is its inverse; `strict: false` and an empty `extra` are the same as leaving them out.
 *
 * @throws QrError naming the option that is at fault.
 */
export function paymentUrl(options: PaymentUrlOptions): string {
  const { qrBaseUrl, scanCode, merchantReference, requiredAmount, strict, extra } = options
  const pairs: string[] = []
  if (merchantReference !== undefined)
    pairs.push(pair('id', checkText('merchantReference', merchantReference)))
  if (requiredAmount !== undefined) pairs.push(pair('amount', checkAmount(requiredAmount)))
  if (checkStrict(strict)) pairs.push(pair('strict', 'true'))
  if (extra !== undefined) pairs.push(...extraPairs(extra))
  const url = codeUrl(qrBaseUrl, scanCode)
  return pairs.length === 0 ? url : `${url}?${pairs.join('&')}`
}

function pair(name: string, value: string): string {
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

function extraPairs(extra: Record<string, string>): string[] {
  if (typeof extra !== 'object' || extra === null || Array.isArray(extra)) {
    throw new QrError('extra', 'must be an object of names and values')
  }
  return Object.entries(extra).map(([name, value]) => {
    if (reserved.has(name))
      throw new QrError('extra', `must not have the name ${name}, which means something else`)
    return pair(checkText('extra', name), checkText('extra', value))
  })
}
