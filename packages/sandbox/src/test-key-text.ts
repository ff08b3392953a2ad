import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const PREFIX = 'tk_test_'
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SECRET_LENGTH = 32
const CHECKSUM_LENGTH = 6
const SHAPE = new RegExp(`^${PREFIX}[A-Za-z0-9]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`)

/** `length` characters of `A-Za-z0-9` from the operating system's random source, whatever the seed. */
export function randomText(length: number): string {
  return Array.from({ length }, () => BASE62[randomInt(BASE62.length)]).join('')
}

/**
 * A new test key: `tk_test_`, 190 random bits and a checksum over both. A live key has no second underscore and its checksum
 * is over the secret alone, so that neither is ever taken for the other, whatever is cut off or put before it.
 */
export function makeTestKey(): string {
  const body = `${PREFIX}${randomText(SECRET_LENGTH)}`
  return `${body}${checksum(body)}`
}

/** True for what claims to be a test key: no till but a sandbox's is ever asked about it. */
export function claimsToBeTestKey(text: string | null): boolean {
  return text?.startsWith(PREFIX) ?? false
}

/** True when `text` has the shape of a test key and its checksum holds: a mistyped key is told without a read. */
export function isTestKey(text: string): boolean {
  return SHAPE.test(text) && text.endsWith(checksum(text.slice(0, -CHECKSUM_LENGTH)))
}

/** What is kept of a test key. */
export function hashTestKey(testKey: string): string {
  return hash('sha256', testKey, 'hex')
}

function checksum(body: string): string {
  let rest = crc32(body)
  let text = ''
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    text = BASE62[rest % 62] + text
    rest = Math.floor(rest / 62)
  }
  return text
}
