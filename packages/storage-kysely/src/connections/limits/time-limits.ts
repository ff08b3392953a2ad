import { refuse } from '../../schema/invalid-input.ts'

/** How long calls take at most where something keeps them waiting. */
export interface TimeLimits {
  /**
   * How long a write waits for its merchant, whose lock another holds, in seconds: 10. That is in the queue of this
   * process and for the lock itself together; then it ends in a `DatabaseError` that names the merchant.
   */
  lockTimeoutSeconds?: number | undefined
  /**
   * By when a read is answered, in seconds, a connection and all tries included: 2.5, so that whoever asks the API has an
   * answer within three. Then it ends in a `DatabaseError`.
   */
  readTimeoutSeconds?: number | undefined
  /**
   * By when a write is answered, in seconds, its waits and all tries included: 5 more than `lockTimeoutSeconds`. Then it ends in a `DatabaseError`,
   * which is a `CommitUnknownError` where it may have taken place.
   */
  writeTimeoutSeconds?: number | undefined
}

/** `options` without the limits, and the limits. */
export function splitOptions<Options extends TimeLimits>(
  options: Options,
): { limits: TimeLimits; names: Omit<Options, keyof TimeLimits> } {
  // What is no object is refused as names.
  if (typeof options !== 'object' || options === null) return { limits: {}, names: options }
  const { lockTimeoutSeconds, readTimeoutSeconds, writeTimeoutSeconds, ...names } = options
  return { limits: { lockTimeoutSeconds, readTimeoutSeconds, writeTimeoutSeconds }, names }
}

export const TIME_LIMITS = ['lockTimeoutSeconds', 'readTimeoutSeconds', 'writeTimeoutSeconds'] as const

/** A timer of Node takes no more. */
const MOST = 2_000_000

/** The limits with their defaults. Throws `TillError` that names the one that is wrong. */
export function timeLimitsOf(given: TimeLimits): Required<TimeLimits> {
  const { lockTimeoutSeconds = 10, readTimeoutSeconds = 2.5 } = given
  assertSeconds('lockTimeoutSeconds', lockTimeoutSeconds)
  const { writeTimeoutSeconds = lockTimeoutSeconds + 5 } = given
  const limits = { lockTimeoutSeconds, readTimeoutSeconds, writeTimeoutSeconds }
  for (const name of TIME_LIMITS) assertSeconds(name, limits[name])
  return limits
}

/**
 * How long any call may take, in seconds: a session that has not answered its check by then is waited for by nobody, and would only keep its
 * place in the pool from others.
 */
export function longestOf({ readTimeoutSeconds, writeTimeoutSeconds }: Required<TimeLimits>): number {
  return Math.max(readTimeoutSeconds, writeTimeoutSeconds)
}

/** What a statement waits for a lock at a time: above what PostgreSQL waits before it looks for a deadlock, in milliseconds. */
const LOCK_WAIT = 2000

/**
 * How long one statement waits for a lock, in milliseconds. A write that did not get it makes room for others and tries
 * again, until its own time is over.
 */
export function lockWaitOf({ lockTimeoutSeconds }: Required<TimeLimits>): number {
  return Math.min(LOCK_WAIT, lockTimeoutSeconds * 1000)
}

/** Throws `TillError` for what is not a number of seconds above 0. */
export function assertSeconds(name: string, seconds: unknown): void {
  if (typeof seconds === 'number' && seconds > 0 && seconds <= MOST) return
  refuse(`${name} must be a number of seconds above 0, at most ${MOST}`)
}
