const LONGEST = 255

/** The key of one cash up: the caller's, or one that was never used. Throws a TypeError for what cannot be one. */
export function idempotencyKeyOf(given: unknown): string {
  if (given === undefined) return newKey()
  // A header has no more than that; and what is not ASCII would be another text at the other end.
  if (typeof given === 'string' && /^[!-~](?:[ -~]*[!-~])?$/.test(given) && given.length <= LONGEST)
    return given
  throw new TypeError('idempotencyKey must be text of 1 to 255 printable characters of ASCII')
}

/** It has to be no one else's, and no secret: where the runtime has no `crypto` (Node 18, pages over http), chance and time will do. */
function newKey(): string {
  const { crypto } = globalThis as { crypto?: { randomUUID?(): string } }
  if (crypto?.randomUUID !== undefined) return crypto.randomUUID()
  const random = () => Math.random().toString(36).slice(2).padEnd(11, '0')
  return `${Date.now().toString(36)}-${random()}-${random()}-${random()}`
}
