import { refuseUnknown, whole } from '../page.ts'
import type { Settings } from '../settings.ts'

/** What a payment URL says of the payment that it starts (API 4.7). */
export interface PaymentUrlOptions {
  /** The merchant's code: 1 to 64 of `A-Za-z0-9_-`. */
  scanCode: string
  /** The order number that the customer sees, 255 characters at most; it becomes the payment's `merchantReference`. */
  merchantReference?: string | undefined
  /** What is owed, in cents; it becomes the payment's `requiredAmount`. */
  requiredAmount?: number | undefined
  /** True: the reference cannot be paid twice, nor less than the amount. */
  strict?: boolean | undefined
  /** Any other parameters, name to value, which come back in the payment's `extra`: up to 50 names, and 8 KiB of query once they are encoded. */
  extra?: Readonly<Record<string, string>> | undefined
}

/** What an image's URL says beside. */
export interface ImageUrlOptions extends PaymentUrlOptions {
  /** Width and height in pixels: 50 to 500, 125 when left out. */
  size?: number | undefined
  /** The kind of image: `svg` when left out. */
  format?: 'svg' | 'png' | undefined
}

/** Payment URLs and their images (API 4.7). Neither asks the server for anything. */
export interface PaymentUrls {
  /** What a customer scans or opens: `{qrBaseUrl}/qr/{scanCode}?id=…&amount=…&strict=true&name=value`. */
  url(options: PaymentUrlOptions): string
  /** The address of an image of that URL's QR code: of one of 800 characters at most. */
  imageUrl(options: ImageUrlOptions): string
}

/** What a payment can have: a code that says more cannot be paid with. */
const LONGEST_REFERENCE = 255
const MOST_NAMES = 50

/** What the server reads of an address, and of what it draws an image, in characters as they are sent. */
const LONGEST_QUERY = 8 * 1024
const LONGEST_DRAWN = 800

const OF_THE_URL = ['scanCode', 'merchantReference', 'requiredAmount', 'strict', 'extra']
const RESERVED = ['id', 'amount', 'strict', 'scan_code_size', 'scan_code_signature', 'scan_code_expires']

export function paymentUrlsOf({ qrBaseUrl, words }: Settings): PaymentUrls {
  const reserved = new Set(RESERVED.map(words.word))

  function address(options: PaymentUrlOptions, known: readonly string[], ending: string): [string, string[]] {
    refuseUnknown(options, known)
    const { scanCode, merchantReference, requiredAmount, strict, extra = {} } = options
    if (typeof scanCode !== 'string' || !/^[A-Za-z0-9_-]{1,64}$/.test(scanCode)) {
      throw new TypeError('scanCode must be 1 to 64 of the characters A-Z, a-z, 0-9, _ and -')
    }
    const pairs: string[] = []
    if (merchantReference !== undefined) {
      if ([...text('merchantReference', merchantReference)].length > LONGEST_REFERENCE)
        throw new TypeError(`merchantReference must have at most ${LONGEST_REFERENCE} characters`)
      pairs.push(pair(words.word('id'), merchantReference))
    }
    const amount = whole('requiredAmount', requiredAmount, 0, Number.MAX_SAFE_INTEGER)
    if (amount !== undefined) pairs.push(pair(words.word('amount'), amount.toFixed()))
    if (strict !== undefined && typeof strict !== 'boolean')
      throw new TypeError('strict must be true or false')
    if (strict) pairs.push(pair(words.word('strict'), 'true'))
    if (typeof extra !== 'object' || extra === null || Array.isArray(extra)) {
      throw new TypeError('extra must be an object of names and values')
    }
    const entries = Object.entries(extra)
    for (const [name, value] of entries) {
      if (reserved.has(name))
        throw new TypeError(`extra must not have the name ${name}, which means something else`)
      pairs.push(pair(text('extra', name), text('extra', value)))
    }
    if (entries.length > MOST_NAMES) throw new TypeError(`extra must have at most ${MOST_NAMES} names`)
    // The longest reference alone is shorter.
    const { length } = pairs.join('&')
    if (length > LONGEST_QUERY)
      throw new TypeError(
        `extra is too long: the query must have at most ${LONGEST_QUERY} characters once it is encoded, not ${length}`,
      )
    return [`${qrBaseUrl()}/${words.word('qr')}/${scanCode}${ending}`, pairs]
  }

  return {
    url: options => joined(address(options, OF_THE_URL, '')),
    imageUrl(options) {
      const { size, format = 'svg' } = options
      if (format !== 'svg' && format !== 'png') throw new TypeError("format must be 'svg' or 'png'")
      const [url, pairs] = address(options, [...OF_THE_URL, 'size', 'format'], `.${format}`)
      const drawn = joined([url, pairs]).length - `.${format}`.length
      if (drawn > LONGEST_DRAWN)
        throw new TypeError(
          `the payment URL is too long for an image: with its reference and extra it must have at most ${LONGEST_DRAWN} characters, not ${drawn}`,
        )
      const pixels = whole('size', size, 50, 500)
      if (pixels !== undefined) pairs.push(pair(words.word('scan_code_size'), String(pixels)))
      return joined([url, pairs])
    },
  }
}

function joined([url, pairs]: [string, string[]]): string {
  return pairs.length === 0 ? url : `${url}?${pairs.join('&')}`
}

function pair(name: string, value: string): string {
  return `${encodeURIComponent(name)}=${encodeURIComponent(value)}`
}

/** Text that survives a URL and a database: well-formed Unicode without NUL. */
function text(name: string, value: unknown): string {
  if (typeof value !== 'string') throw new TypeError(`${name} must be a string`)
  if (value.includes('\0')) throw new TypeError(`${name} must not contain the NUL character`)
  if (/\p{Surrogate}/u.test(value)) throw new TypeError(`${name} must be well-formed Unicode`)
  return value
}
