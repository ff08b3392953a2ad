import { type Logger, loggerFor } from '@tillkit/till'
import type { HttpResponse } from '../handler.ts'
import { errorObject } from '../response/json.ts'
import { limiterWithFallback } from './limiter-with-fallback.ts'
import { memoryLimiter } from './memory-limiter.ts'
import type { RateLimiter, RateLimiterAnswer } from './rate-limiter.ts'

/** How many requests in how many seconds. */
export interface Quota {
  /** How many requests. */
  points: number
  /** In how many seconds; 0 never ends. */
  duration: number
}

/** How a client stands in a limit after a request. */
export interface Standing {
  /** False where it was too many. */
  allowed: boolean
  /** The value of `RateLimit-Policy`, as draft-ietf-httpapi-ratelimit-headers-11 has it. */
  policy: string
  /** The value of `RateLimit`, as the same draft has it. */
  rateLimit: string
  /** The value of `Retry-After`: whole seconds, 1 or more. */
  retryAfter: string
}

/** What a key has left of its limit. */
export interface Left {
  /** How many requests. */
  remaining: number
  /** Where it stands when nothing remains. */
  usedUp: Standing | null
}

/** A limit on requests (API 8), counted by a key. */
export interface Limit {
  /** How many requests a window allows. */
  readonly points: number
  /** Counts a request of `key`, or one that costs as much as so many, of which it needs to have that many left. */
  count(key: string, points?: number): Promise<Standing>
  /** How much `key` has left, and where it stands when that is nothing. Counts nothing. */
  left(key: string): Promise<Left>
}

/**
 * The limit called `name` in the `RateLimit` headers: counted by `limiter`, or in memory where that is left out or
 * down. What `limiter` does not say of its size is taken from `quota`.
 */
export function limit(
  name: string,
  limiter: RateLimiter | undefined,
  quota: Quota,
  given: Pick<Logger, 'warn'> | false | undefined,
): Limit {
  const { points, duration } = {
    points: limiter?.points ?? quota.points,
    duration: limiter?.duration ?? quota.duration,
  }
  const logger = loggerFor(given)
  const memory = memoryLimiter({ points, duration })
  const counter = limiter ? limiterWithFallback(name, limiter, memory, logger) : memory
  const policy = `"${name}";q=${points}${duration > 0 ? `;w=${duration}` : ''}`

  function standing(allowed: boolean, { remainingPoints, msBeforeNext }: RateLimiterAnswer): Standing {
    // A limiter of a host's may say anything.
    const remaining = allowed ? Math.max(remainingPoints ?? 0, 0) : 0
    const seconds = String(Math.max(Math.ceil((msBeforeNext ?? 0) / 1000), 1))
    const rateLimit = `"${name}";r=${remaining}${duration > 0 ? `;t=${seconds}` : ''}`
    return { allowed, policy, rateLimit, retryAfter: seconds }
  }

  return {
    points,
    async count(key, cost = 1) {
      try {
        return standing(true, await counter.consume(key, cost))
      } catch (refusal) {
        if (refusal instanceof Error) throw refusal
        return standing(false, refusal as RateLimiterAnswer)
      }
    },
    async left(key) {
      const answer = await counter.get(key)
      if (answer === null) return { remaining: points, usedUp: null }
      const remaining = answer.remainingPoints ?? 1
      return { remaining, usedUp: remaining <= 0 ? standing(false, answer) : null }
    },
  }
}

/** The answer to a client that is over its limit (API 7.2). */
export function tooManyRequests(standing: Standing): HttpResponse {
  const headers = { 'Retry-After': standing.retryAfter }
  const response = errorObject(429, 'rate_limited', 'Too many requests, please try again later', headers)
  stampStanding(standing, response)
  return response
}

/** Adds what a client needs to stay within its limit. */
export function stampStanding({ policy, rateLimit }: Standing, { headers }: HttpResponse): void {
  headers.RateLimit = rateLimit
  headers['RateLimit-Policy'] = policy
}
