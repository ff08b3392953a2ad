import type { Vocabulary } from './vocabulary.ts'

/** After how long no more checks are begun, and for how long an answer is waited for, where nothing is said. */
export const MAX_SECONDS = 600
export const TIMEOUT_SECONDS = 30

/** How instances are asked, whatever is tried. */
export interface AskingOptions {
  /** Sends the requests: that of a host in the same process, for a test. Over the network when left out. */
  fetch?: typeof globalThis.fetch
  /** What is sent as `Origin`, as a browser does: an origin that the provider lets call. `https://shop.example.com` when left out. */
  origin?: string
  /** At most so many requests a second: 50 when left out, half of what a key has. */
  requestsPerSecond?: number
  /** For how long an answer is waited for: 30 when left out. */
  timeoutSeconds?: number
  /** For how long in all an instance is waited for that answers 429 or 503 with `Retry-After`: 90 when left out. */
  patienceSeconds?: number
  /** After how long no more checks are begun: 600 when left out. What was begun ends with the answer that is waited for twice as long as it may take. */
  maxSeconds?: number
  /** Certificates of authorities to be trusted, in PEM. Node's own when left out. */
  ca?: string
  /** True trusts any certificate: for servers of one's own machine. */
  insecure?: boolean
  /** Names of checks: only those are run, and what each answer is held to. All when left out. */
  only?: readonly string[]
  /** Told of each check as it begins. */
  onCheck?: (title: string) => void
}

/** What `checkConformance` takes. */
export interface ConformanceOptions extends AskingOptions {
  /** The base address of the API: `https://pay.example.com/v1`. */
  url: string
  /** An API key of the merchant whose account is looked at. */
  key: string
  /** The address of the QR codes, with or without `/qr`: `https://pay.example.com`. Left out, they are not tried. */
  qrUrl?: string
  /** The address that QR codes carry, where that is another: `https://pay.example.com`. Learned from the first image when left out. */
  qrBaseUrl?: string
  /** A scan code of the merchant. That of the newest payment when left out. */
  scanCode?: string
  /** The API's address over plain HTTP. Left out, it is that at port 80, where `url` has the port 443. */
  httpUrl?: string
  /** True lets it create cash ups, and send methods that a path should not have. False when left out. */
  destructive?: boolean
  /** What the instance says for names of the contract. */
  vocabulary?: Vocabulary
}

const ASKING: readonly string[] = [
  'fetch',
  'origin',
  'requestsPerSecond',
  'timeoutSeconds',
  'patienceSeconds',
  'maxSeconds',
  'ca',
  'insecure',
  'only',
  'onCheck',
] satisfies (keyof AskingOptions)[]

/** Throws a `TypeError` for an option that there is not: what it was meant to have tried would be left out, and nobody see it. */
export function assertKnown(options: object, own: readonly string[]): void {
  const unknown = Object.keys(options).find(name => !own.includes(name) && !ASKING.includes(name))
  if (unknown !== undefined) throw new TypeError(`there is no option ${unknown}`)
}

/** Throws a `TypeError` that names what is wrong. */
export function checkedAddress(name: string, text: unknown): string {
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(`${name} must be an http or https address`)
  }
  if (url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') {
    throw new TypeError(`${name} must be without a query, a fragment, and credentials`)
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}

/** Throws a `TypeError` for a key that cannot be sent. */
export function checkedKey(name: string, key: unknown): string {
  if (typeof key !== 'string' || !/^[!-9;-~]+$/.test(key)) {
    throw new TypeError(`${name} must be an API key: text without a space or a colon`)
  }
  return key
}

/** Throws a `TypeError` for a vocabulary that is none. */
export function checkedVocabulary(name: string, vocabulary: unknown = {}): Vocabulary {
  const isObject = typeof vocabulary === 'object' && vocabulary !== null && !Array.isArray(vocabulary)
  if (!isObject || !Object.values(vocabulary).every(word => typeof word === 'string' && word !== '')) {
    throw new TypeError(`${name} must be an object of names and the words for them`)
  }
  return vocabulary as Vocabulary
}

/** Throws a `TypeError` for what is no positive number. */
export function checkedNumber(name: string, value: number | undefined, otherwise: number): number {
  if (value === undefined) return otherwise
  if (typeof value !== 'number' || !(value > 0)) throw new TypeError(`${name} must be a number above 0`)
  return value
}

/** Throws a `TypeError` for a name that no check has. */
export function checkedNames(
  only: readonly string[] | undefined,
  known: readonly string[],
): readonly string[] {
  const unknown = only?.find(name => !known.includes(name))
  if (unknown !== undefined) throw new TypeError(`only must name checks, and there is none called ${unknown}`)
  return only ?? known
}
