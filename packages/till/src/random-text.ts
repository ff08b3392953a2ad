import { randomBytes, randomInt } from 'node:crypto'

export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** `length` characters of `A-Za-z0-9`, each with 5.95 random bits from the operating system. */
export function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(2 * (length - text.length))) {
      // 248 is the largest multiple of 62 in a byte: what lies above would favour the first characters.
      if (byte < 248 && text.length < length) text += BASE62[byte % 62]
    }
  }
  return text
}

/** Six random digits, leading zeros kept (API 2.1, `authCode`). */
export function randomAuthCode(): string {
  return String(randomInt(1_000_000)).padStart(6, '0')
}
