import { createHash } from 'node:crypto'
import type { Logger } from '@tillkit/till'
import { z } from 'zod'
import { clientNetwork, UNKNOWN_NETWORK } from './client-network.ts'
import { limit, type Standing } from './limit.ts'
import { type RateLimiter, rateLimiter } from './rate-limiter.ts'

/** Limiters of rate-limiter-flexible. One that is left out counts in this process's memory. */
export interface ApiRateLimits {
  /** Counts requests that authenticate, by their key: 100 a second when left out. */
  perKey?: RateLimiter
  /** Counts requests that do not authenticate, by their address: 60 a minute when left out. */
  perAddress?: RateLimiter
}

export const apiRateLimits = z.union(
  [z.literal(false), z.strictObject({ perKey: rateLimiter.optional(), perAddress: rateLimiter.optional() })],
  'must be false or an object of limiters, perKey and perAddress',
)

const PER_KEY = { points: 100, duration: 1 }
const PER_ADDRESS = { points: 60, duration: 60 }

/** The limits of the API. Each answers null where there is nothing to say. */
export interface ApiLimits {
  /** Where an address stands that has used up what it may do unauthenticated. */
  usedUp(remoteAddress: string | undefined): Promise<Standing | null>
  /** Counts a request that authenticated. */
  countKey(apiKey: string): Promise<Standing | null>
  /** Counts a request that did not. */
  countAddress(remoteAddress: string | undefined): Promise<Standing | null>
}

const unlimited: ApiLimits = {
  usedUp: async () => null,
  countKey: async () => null,
  countAddress: async () => null,
}

export function apiLimits(
  limiters: ApiRateLimits | false | undefined,
  logger?: Pick<Logger, 'warn'>,
): ApiLimits {
  if (limiters === false) return unlimited
  const perKey = limit('key', limiters?.perKey, PER_KEY, logger)
  const perAddress = limit('address', limiters?.perAddress, PER_ADDRESS, logger)
  return {
    async usedUp(remoteAddress) {
      const network = clientNetwork(remoteAddress)
      // Those without an address share a count, which must not lock out whoever has a key.
      return network === null ? null : perAddress.usedUp(network)
    },
    // A limiter may keep its keys in another machine's memory: it is not given the API key itself.
    countKey: apiKey => perKey.count(createHash('sha256').update(apiKey).digest('base64url')),
    countAddress: remoteAddress => perAddress.count(clientNetwork(remoteAddress) ?? UNKNOWN_NETWORK),
  }
}
