import { z } from 'zod'

/** What a limiter of rate-limiter-flexible says of a key. A refused `consume` rejects with the same. */
export interface RateLimiterAnswer {
  /** How many requests it has left. */
  remainingPoints?: number
  /** Milliseconds until it has all of them again. */
  msBeforeNext?: number
}

/** A limiter of the library rate-limiter-flexible, as far as it matters here. */
export interface RateLimiter {
  /** How many requests a window allows. */
  readonly points?: number
  /** The window in seconds; 0 never ends. */
  readonly duration?: number
  /** Counts a request, or what costs as much as so many; rejects with an answer when there were too many, with an `Error` when it cannot tell. */
  consume(key: string, points?: number): Promise<RateLimiterAnswer>
  /** How `key` stands, without counting; null when nothing is counted. */
  get(key: string): Promise<RateLimiterAnswer | null>
}

const isLimiter = (value: unknown) =>
  ['consume', 'get'].every(method => typeof (value as Record<string, unknown>)?.[method] === 'function')

/** Where none is allowed, whoever waits for one that is left would wait for ever. */
const allowsOne = (value: Partial<RateLimiter> | null | undefined) => (value?.points ?? 1) >= 1

/** Checks that an option is a limiter. It does not abort, so that a union around it still names the option. */
export const rateLimiter = z
  .custom<RateLimiter>(isLimiter, {
    error: 'must be a limiter of rate-limiter-flexible (it needs consume and get)',
    abort: false,
  })
  .refine(allowsOne, 'must be a limiter that allows one request at least')
