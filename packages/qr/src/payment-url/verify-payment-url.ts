import { type Address, addressOf } from '../address.ts'
import { QrError } from '../qr-error.ts'
import { queryPairs } from '../query.ts'
import { readSeconds } from '../signature/expiry.ts'
import { checkPaymentKeys } from '../signature/payment-key.ts'
import { isSame } from '../signature/same-text.ts'
import { hashOf, SIGNATURE_FORM, type Signed, signatureOf } from '../signature/signature-of.ts'
import { checkOptions } from '../text.ts'
import { type UrlWords, urlWords, type VocabularyOption } from '../vocabulary.ts'
import { codeUrl } from './code-url.ts'
import { parametersOf } from './parse-payment-url.ts'
import type { PaymentParameters } from './payment-parameters.ts'
import { scanPath } from './scan-path.ts'

/** What `verifyPaymentUrl` takes beside the URL. */
export interface VerifyPaymentUrlOptions extends VocabularyOption {
  /** Where the host serves payment URLs: one that was signed for another address is refused. */
  qrBaseUrl: string
  /**
   * The keys that are accepted, at most ten: a new one beside an old one while keys are changed. Each is 32 to 256 printable
   * characters of ASCII without a space. An empty list accepts no signature.
   */
  keys: readonly string[]
  /**
   * Whether a URL with no parameters at all, as printed codes have, needs a signature: `signed`, when left out, says so;
   * `accepted` takes it as it is.
   */
  bareCodes?: 'signed' | 'accepted'
  /** The time that `expiresAt` is held against; this machine's when left out. */
  now?: Date
}

/**
 * `parsePaymentUrl` for whoever takes signed URLs only: what the URL says, if it was signed by `paymentUrl` for this
 * `qrBaseUrl` with one of the keys and has not expired. Keys and signatures are compared in a time that tells nothing.
 *
 * The signature stands for what the URL says, so another order or encoding of the same parameters is fine, and so are an image
 * extension and `scan_code_size`. A name that is there twice is refused.
 *
 * @param url As `parsePaymentUrl` takes it. An absolute URL, or a path with a folder before `/qr/`, must be the one of `qrBaseUrl`.
 * @throws QrError naming `scan_code_signature` (none, or not the right one) or `scan_code_expires` (it was right, and is over);
 *   what `parsePaymentUrl` throws; `qrBaseUrl`, `keys`, `bareCodes` or `now`.
 */
export function verifyPaymentUrl(url: string, options: VerifyPaymentUrlOptions): PaymentParameters {
  checkOptions(options)
  const { qrBaseUrl, keys, bareCodes = 'signed', now = new Date() } = options
  checkPaymentKeys(keys)
  if (bareCodes !== 'signed' && bareCodes !== 'accepted')
    throw new QrError('bareCodes', "must be 'signed' or 'accepted'")
  // A date that is none is later than nothing, and no URL would ever end.
  if (!(now instanceof Date) || Number.isNaN(now.getTime())) throw new QrError('now', 'must be a valid Date')

  const words = urlWords(options.vocabulary)
  const { scan_code_size: SIZE, scan_code_signature: SIGNATURE, scan_code_expires: EXPIRES } = words.wordOf
  const address = addressOf(url, words)
  const all = queryPairs(address.query)
  const parameters = parametersOf(address.path, all, words)
  const pairs = all.filter(({ name }) => name !== SIZE)
  const place = codeUrl(qrBaseUrl, parameters.scanCode, words)
  const own = isAt(address, place, words)
  if (own && bareCodes === 'accepted' && pairs.length === 0) return parameters

  const given = new Map(pairs.map(({ name, value }) => [name, value]))
  const signature = given.get(SIGNATURE)
  if (signature === undefined) {
    throw wrongSignature('must be there: only payment URLs that are signed are taken here', SIGNATURE)
  }
  const seconds = given.get(EXPIRES)
  const expires = seconds === undefined ? null : readSeconds(seconds)
  const readable = given.size === pairs.length && (expires !== null || seconds === undefined)
  const signed = { address: place, parameters, expires }
  if (!own || !readable || !isSignedBy(keys, signed, signature))
    throw wrongSignature('must be made for all of this URL, with a key that is accepted here', SIGNATURE)
  if (expires !== null && expires * 1000 <= now.getTime())
    throw new QrError('scan_code_expires', 'must not be over: this payment URL has ended', { word: EXPIRES })
  return parameters
}

function wrongSignature(problem: string, word: string): QrError {
  return new QrError('scan_code_signature', problem, { word })
}

/** Whether an address is that of the code on this host. Below a mount nobody but the host knows where it is. */
function isAt({ origin, path }: Address, url: string, words: UrlWords): boolean {
  const { folder, scanCode } = scanPath(path, words)
  if (origin === undefined && ['', '/', `/${words.qr}/`].includes(folder)) return true
  try {
    const place = folder + scanCode
    return (origin === undefined ? new URL(place, url) : new URL(origin + place)).href === new URL(url).href
  } catch {
    return false
  }
}

function isSignedBy(keys: readonly string[], signed: Signed, signature: string): boolean {
  if (!SIGNATURE_FORM.test(signature)) return false
  const hash = hashOf(signed)
  let valid = false
  for (const key of keys) valid = isSame(signature, signatureOf(hash, key)) || valid
  return valid
}
