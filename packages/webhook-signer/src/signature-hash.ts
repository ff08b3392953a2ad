import { hmacSha256 } from './hmac-sha256.ts'

type SignatureHash = (rawBody: string | Uint8Array, key: string) => string

/** The lower-case hexadecimal HMAC-SHA256 of a body; text counts as its UTF-8 (specification 6.4). */
export const signatureHash: SignatureHash = platformHash() ?? portableHash

function portableHash(rawBody: string | Uint8Array, key: string): string {
  const text = new TextEncoder()
  const message = typeof rawBody === 'string' ? text.encode(rawBody) : rawBody
  return Array.from(hmacSha256(text.encode(key), message), byte => byte.toString(16).padStart(2, '0')).join(
    '',
  )
}

/**
 * The platform's own, several times as fast, or undefined. Never imported: a bundler for the edge would refuse
 * `node:crypto`. It is tried out as well, because some edge runtimes have stand-ins that throw when they are called.
 */
function platformHash(): SignatureHash | undefined {
  try {
    const crypto = globalThis.process?.getBuiltinModule?.('node:crypto')
    if (crypto === undefined) return undefined
    const hash: SignatureHash = (rawBody, key) =>
      crypto.createHmac('sha256', key).update(rawBody).digest('hex')
    return hash('body', 'key') === portableHash('body', 'key') ? hash : undefined
  } catch {
    return undefined
  }
}
