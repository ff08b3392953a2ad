import { hmac } from '@noble/hashes/hmac'
import { sha256 } from '@noble/hashes/sha2'
import type { PaymentParameters } from '../payment-url/payment-parameters.ts'

/** What a signature stands for: all that a payment URL says, and where. */
export interface Signed {
  /** The URL before its query. */
  address: string
  parameters: PaymentParameters
  /** Seconds since 1970; null for a URL that does not end. */
  expires: number | null
}

/** A longer one makes a larger symbol; half of a hash is what RFC 2104 asks for, and this is a whole number of letters. */
const BYTES = 18

/** The form of a signature: 24 letters of base64url, with no bit left over that could be either. */
export const SIGNATURE_FORM = /^[A-Za-z0-9_-]{24}$/

const UTF_8 = new TextEncoder()

/** The HMAC-SHA-256 of `hashOf` what a URL says, cut to 144 bits, in base64url. */
export function signatureOf(hash: Uint8Array, key: string): string {
  const mac = hmac(sha256, UTF_8.encode(key), hash).subarray(0, BYTES)
  return btoa(String.fromCharCode(...mac))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
}

/**
 * The SHA-256 of what a URL says, not how: its encoding is changed on the way, by browsers and messengers. Each meaning has one
 * text and each text one meaning, since JSON keeps what belongs where. Hashed once, so that a long URL from a stranger costs no
 * more for each key.
 */
export function hashOf({ address, parameters, expires }: Signed): Uint8Array {
  const { merchantReference = null, requiredAmount = null, strict = false, extra = {} } = parameters
  const extras = Object.entries(extra).sort(([a], [b]) => (a < b ? -1 : 1))
  const content = [new URL(address).href, merchantReference, requiredAmount, strict, extras, expires]
  return sha256(UTF_8.encode(`tillkit payment url 1 ${JSON.stringify(content)}`))
}
