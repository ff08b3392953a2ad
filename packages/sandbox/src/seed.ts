import { createHmac } from 'node:crypto'

/** What a ledger makes up: each is the same for the same seed, name and number. */
export interface Seeded {
  /** `length` lower-case hexadecimal digits, up to 64. */
  hex(name: string, number: number): string
  /** Six digits. */
  sixDigits(name: string, number: number): string
}

/**
 * Draws by HMAC rather than from a stream: what the seventh payment gets does not depend on what was asked beside it, on
 * which process asked, or on a restart. Never for keys: whoever knows the seed knows all of it.
 */
export function seeded(seed: string): Seeded {
  const hex = (name: string, number: number) =>
    createHmac('sha256', `tillkit sandbox ${seed}`).update(`${name} ${number}`).digest('hex')
  return {
    hex,
    sixDigits: (name, number) =>
      String(Number.parseInt(hex(name, number).slice(0, 12), 16) % 1_000_000).padStart(6, '0'),
  }
}
