import type * as flexible from 'rate-limiter-flexible'
// @ts-expect-error: typed at the package's root only, which loads the limiters of every store there is.
import Memory from 'rate-limiter-flexible/lib/RateLimiterMemory.js'

/** `RateLimiterMemory` of rate-limiter-flexible, alone. */
export const RateLimiterMemory: typeof flexible.RateLimiterMemory = Memory
