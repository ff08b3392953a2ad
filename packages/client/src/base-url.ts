const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** The base address without a slash at its end. Throws a TypeError that says what is wrong with it. */
export function checkBaseUrl(baseUrl: unknown, allowHttp: unknown): string {
  const { url, text } = address('baseUrl', baseUrl)
  if (allowHttp !== undefined && typeof allowHttp !== 'boolean') {
    throw new TypeError('allowHttp must be true or false')
  }
  if (url.protocol === 'http:' && allowHttp !== true && !LOOPBACK.test(url.hostname)) {
    throw new TypeError(
      'baseUrl must be https: over http the key could be read on the way (allowHttp permits it)',
    )
  }
  return text
}

/** What payment URLs begin with, without a slash at its end; `word` is what is added to it. */
export function checkQrBaseUrl(qrBaseUrl: unknown, word: string): string {
  const { text } = address('qrBaseUrl', qrBaseUrl)
  // Anything else would be mended by some phones, and not by others.
  if (!/^[!-~]+$/.test(text)) throw new TypeError('qrBaseUrl must be ASCII without spaces')
  if (endsIn(word, text))
    throw new TypeError(`qrBaseUrl must not end in /${word}: that is what is added to it`)
  return text
}

/** `https://pay.example.com` of `https://pay.example.com/v1`, where a provider has its `/qr`, which is `word`. */
export function besideVersion(baseUrl: string, word: string): string {
  const { origin, pathname } = new URL(baseUrl)
  const text = (origin + pathname.slice(0, pathname.lastIndexOf('/'))).replace(/\/+$/, '')
  if (endsIn(word, text))
    throw new TypeError(
      `qrBaseUrl must be given, for what baseUrl has before its last part ends in /${word}: that is what is added to it`,
    )
  return text
}

function endsIn(word: string, text: string): boolean {
  return text.toLowerCase().endsWith(`/${word.toLowerCase()}`)
}

function address(option: string, given: unknown): { url: URL; text: string } {
  const url = typeof given === 'string' && /^https?:\/\/[^/]/i.test(given) ? parsed(given) : null
  if (url === null) throw new TypeError(`${option} must be an absolute https URL`)
  if (/[?#\\]/.test(given as string)) {
    throw new TypeError(`${option} must have no query, no fragment and no backslash`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new TypeError(`${option} must have no user name: the key is an option of its own`)
  }
  return { url, text: (given as string).replace(/\/+$/, '') }
}

/** `URL.canParse` is not in every Node 18. */
function parsed(text: string): URL | null {
  try {
    return new URL(text)
  } catch {
    return null
  }
}
