import { besideVersion, checkBaseUrl, checkQrBaseUrl } from './base-url.ts'
import type { ClientOptions, Fetch } from './client-options.ts'
import { type Words, wordsOf } from './vocabulary/vocabulary.ts'

/** A client's options, checked. */
export interface Settings {
  /** Without a slash at its end. */
  baseUrl: string
  /** The same. Throws where it was not given and cannot be told by `baseUrl`, which matters to who makes payment URLs. */
  qrBaseUrl(): string
  /** What Basic authentication sends. */
  credentials: string
  fetch: Fetch
  timeoutSeconds: number
  retries: number
  words: Words
  /** Text of others without the key, wherever they had it from. */
  redacted(text: string): string
}

const NAMES = [
  ...['baseUrl', 'apiKey', 'fetch', 'timeoutSeconds', 'retries', 'vocabulary', 'qrBaseUrl', 'allowHttp'],
]

/** Checks the options of a client. Throws a TypeError naming what is wrong, never with the key. */
export function settingsOf(options: ClientOptions): Settings {
  if (typeof options !== 'object' || options === null) throw new TypeError('options must be an object')
  const unknown = Object.keys(options).find(name => !NAMES.includes(name))
  if (unknown !== undefined) throw new TypeError(`${unknown} is not an option: ${NAMES.join(', ')} are`)
  const { apiKey, timeoutSeconds = 30, retries = 5 } = options
  const baseUrl = checkBaseUrl(options.baseUrl, options.allowHttp)
  const words = wordsOf(options.vocabulary)
  const credentials = btoa(`${checkApiKey(apiKey)}:`)
  return {
    baseUrl,
    qrBaseUrl: qrBaseUrlOf(options.qrBaseUrl, baseUrl, words.word('qr')),
    credentials,
    fetch: checkFetch(options.fetch),
    timeoutSeconds: checkSeconds('timeoutSeconds', timeoutSeconds, 0.001),
    retries: checkRetries(retries),
    words,
    redacted: text => text.replaceAll(apiKey, '***').replaceAll(credentials, '***'),
  }
}

function qrBaseUrlOf(given: string | null | undefined, baseUrl: string, word: string): () => string {
  const checked = given === undefined || given === null ? null : checkQrBaseUrl(given, word)
  return () => checked ?? besideVersion(baseUrl, word)
}

const LONGEST_SECONDS = 86_400

/** Throws a TypeError for what is no number of seconds up to a day. */
export function checkSeconds(name: string, seconds: unknown, least = 0): number {
  if (typeof seconds === 'number' && seconds >= least && seconds <= LONGEST_SECONDS) return seconds
  throw new TypeError(`${name} must be a number of seconds, ${least === 0 ? 0 : 'more than 0'} to 86400`)
}

function checkRetries(retries: unknown): number {
  if (typeof retries === 'number' && Number.isInteger(retries) && retries >= 0) return retries
  throw new TypeError('retries must be a whole number, 0 or more')
}

function checkApiKey(apiKey: unknown): string {
  if (typeof apiKey === 'string' && /^[!-9;-~]+$/.test(apiKey)) return apiKey
  throw new TypeError(
    'apiKey must be the API key as it was issued: printable ASCII without spaces and colons',
  )
}

function checkFetch(given: unknown): Fetch {
  if (typeof given === 'function') return given as Fetch
  if (given !== undefined) throw new TypeError('fetch must be a function')
  // Looked up with each call, so that whoever replaces it later is heard, and with its own `this`.
  return (url, init) => globalThis.fetch(url, init)
}
