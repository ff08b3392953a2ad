import { sha256 } from './sha256.ts'

const BLOCK = 64

/** HMAC-SHA256 (RFC 2104, FIPS 198-1) in nothing but ECMAScript. */
export function hmacSha256(key: Uint8Array, message: Uint8Array): Uint8Array {
  const short = key.length > BLOCK ? sha256(key) : key
  return sha256(after(short, 0x5c, sha256(after(short, 0x36, message))))
}

/** A block of the key, each byte combined with `pad`, and then the message. */
function after(key: Uint8Array, pad: number, message: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(BLOCK + message.length)
  bytes.set(key)
  for (let i = 0; i < BLOCK; i++) bytes[i] = (bytes[i] as number) ^ pad
  bytes.set(message, BLOCK)
  return bytes
}
