// By name they could not even be imported on the older Nodes that `createTill` speaks to.
import crypto from 'node:crypto'
import zlib from 'node:zlib'
import { BASE62, randomBase62 } from './random-text.ts'

const SECRET_LENGTH = 32
const CHECKSUM_LENGTH = 6
const SHAPE = new RegExp(`^tk_[A-Za-z0-9]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`)

/** A new API key: `tk_`, 190 random bits and a checksum, all base62. */
export function makeApiKey(): string {
  const secret = randomBase62(SECRET_LENGTH)
  return `tk_${secret}${checksum(secret)}`
}

/** True when `text` has the shape of a key and its checksum holds: a mistyped key is told without a read. */
export function isApiKey(text: unknown): text is string {
  if (typeof text !== 'string' || !SHAPE.test(text)) return false
  return text.endsWith(checksum(text.slice(3, 3 + SECRET_LENGTH)))
}

/** What is kept of a key. A plain SHA-256 is enough: the key is random and too long to be searched for. */
export function hashApiKey(apiKey: string): string {
  return crypto.hash('sha256', apiKey, 'hex')
}

function checksum(secret: string): string {
  let rest = zlib.crc32(secret)
  let text = ''
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    text = BASE62[rest % 62] + text
    rest = Math.floor(rest / 62)
  }
  return text
}
