import { after, type Instant, instant } from '../values/date.ts'
import type { DeliveryState } from './delivery.ts'

/** Seconds from each failed attempt to the next: 5 s, 5 m, 30 m, 2 h, 5 h, 10 h, 10 h. */
export const RETRY_DELAYS: readonly number[] = [5, 300, 1800, 7200, 18_000, 36_000, 36_000]

/** How far a delay is spread, so that what failed together does not come back together. */
const SPREAD = 0.2

/**
 * After so many attempts a receiver that asks for less time than the schedule has is tried again when it says: after each, it
 * would use up all of them in seconds.
 */
const SOONER_AFTER = 3

/** A receiver that asks for more time than this is tried again after this. */
const LONGEST_RETRY_AFTER = 86_400

/** What came of one attempt. */
export interface Attempt {
  /** Which attempt it was, from 1. */
  number: number
  /** When it began. */
  at: Date
  /** The status of the answer; null when none came in time. */
  status: number | null
  /** Why it failed; null for a success. */
  error: string | null
  /** What the answer's `Retry-After` asked for, in seconds. */
  retryAfter: number | null
}

/** Where a delivery stands. */
export interface DeliveryStanding {
  /** Whether it is over, and how. */
  state: DeliveryState
  /** When it is tried next; null when it is over. */
  nextAttemptAt: Instant | null
}

/** True for the answers that end a delivery well: any 2xx. */
export function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300
}

/**
 * Where a delivery stands after `attempt`. A success is delivered; 410 and the last failure are exhausted; another
 * failure waits for its delay from `delays` (seconds), spread by ±20 % as `random` (0 to 1) says. What a 429 or 503 asks
 * for is kept instead after the first three attempts; after a later one it puts the next off, and brings it no nearer.
 */
export function afterAttempt(attempt: Attempt, delays: readonly number[], random: number): DeliveryStanding {
  if (attempt.error === null) return { state: 'delivered', nextAttemptAt: null }
  const delay = delays[attempt.number - 1]
  if (attempt.status === 410 || delay === undefined) return { state: 'exhausted', nextAttemptAt: null }
  const scheduled = delay * (1 + SPREAD * (2 * random - 1))
  return { state: 'pending', nextAttemptAt: instant(after(attempt.at, waitOf(attempt, scheduled))) }
}

function waitOf({ number, status, retryAfter }: Attempt, scheduled: number): number {
  if (retryAfter === null || (status !== 429 && status !== 503)) return scheduled
  const asked = Math.min(Math.max(retryAfter, 0), LONGEST_RETRY_AFTER)
  return number <= SOONER_AFTER ? asked : Math.max(asked, scheduled)
}
