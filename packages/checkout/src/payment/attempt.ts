import { randomBytes } from 'node:crypto'

/** The names of attempts: 128 bits in base64url. */
export const ATTEMPT = '[A-Za-z0-9_-]{22}'

/**
 * A name for one attempt to pay, to be part of the address of its page. Nobody can guess it, so that its page shows the
 * outcome to whoever paid and to nobody else.
 */
export function newAttempt(): string {
  return randomBytes(16).toString('base64url')
}

/** The `attemptKey` under which the attempt's payment is started and found. */
export function attemptKey(scanCode: string, attempt: string): string {
  return `checkout:${scanCode}:${attempt}`
}
