// By name they could not even be imported on the older Nodes that `createTill` speaks to.
import crypto from 'node:crypto'
import zlib from 'node:zlib'
import { BASE62, randomBase62 } from '../random-text.ts'

const SECRET_LENGTH = 32
const CHECKSUM_LENGTH = 6
const PREFIX = 'tk_'
const LENGTH = PREFIX.length + SECRET_LENGTH + CHECKSUM_LENGTH
const SHAPE = new RegExp(`^${PREFIX}[A-Za-z0-9]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`)

/** A new API key: `tk_`, 190 random bits and a checksum, all base62. */
export function makeApiKey(): string {
  const secret = randomBase62(SECRET_LENGTH)
  return `${PREFIX}${secret}${checksum(secret)}`
}

/** True for what is as long as a key: no more needs to be asked of one that is known, and nothing else is worth a hash. */
export function hasLengthOfApiKey(text: unknown): text is string {
  return typeof text === 'string' && text.length === LENGTH
}

/** True when `text` has the shape of a key and its checksum holds: a mistyped key is told without a read. */
export function isApiKey(text: string): boolean {
  return SHAPE.test(text) && text.endsWith(checksum(text.slice(PREFIX.length, PREFIX.length + SECRET_LENGTH)))
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
