import { hmac } from '@noble/hashes/hmac'
import { sha256 } from '@noble/hashes/sha2'
import { utf8ToBytes } from '@noble/hashes/utils'

type SignatureHash = (rawBody: string | Uint8Array, key: string) => string

/** The lower-case hexadecimal HMAC-SHA256 of a body; text counts as its UTF-8 (API 6.4). */
export const signatureHash: SignatureHash = platformHash() ?? portableHash

function portableHash(rawBody: string | Uint8Array, key: string): string {
  // A copy, because a Buffer of another realm, as in a test runner's sandbox, is none to noble.
  const message = typeof rawBody === 'string' ? utf8ToBytes(rawBody) : new Uint8Array(rawBody)
  const hash = hmac(sha256, utf8ToBytes(key), message)
  return Array.from(hash, byte => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * The platform's own, several times as fast, or undefined. Never imported: a bundler for the edge would refuse
 * `node:crypto`. It is tried out as well, because some edge runtimes have stand-ins that throw when they are called.
 */
function platformHash(): SignatureHash | undefined {
  try {
    const crypto = globalThis.process.getBuiltinModule('node:crypto')
    const hash: SignatureHash = (rawBody, key) =>
      crypto.createHmac('sha256', key).update(rawBody).digest('hex')
    return hash('body', 'key') === portableHash('body', 'key') ? hash : undefined
  } catch {
    return undefined
  }
}
