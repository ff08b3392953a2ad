import { QrError } from '../qr-error.ts'

const MOST_KEYS = 10

/**
 * Checks keys that sign payment URLs, before anybody scans one: a list of at most ten, each 32 to 256 printable characters of
 * ASCII without a space.
 *
 * @throws QrError naming `keys`, or the one that is wrong, `keys.0`; never with the key itself.
 */
export function checkPaymentKeys(keys: readonly string[]): void {
  if (!Array.isArray(keys) || keys.length > MOST_KEYS) {
    throw new QrError('keys', `must be a list of at most ${MOST_KEYS} keys`)
  }
  for (const [index, key] of keys.entries()) checkPaymentKey(key, `keys.${index}`)
}

/** A key is never cut, trimmed or decoded: what is signed with it here is verified with it anywhere. */
export function checkPaymentKey(key: unknown, name: string): asserts key is string {
  if (typeof key === 'string' && /^[!-~]{32,256}$/.test(key)) return
  throw new QrError(
    name,
    'must be 32 to 256 letters, digits and signs of ASCII without a space, such as `openssl rand -base64 32` prints',
  )
}
