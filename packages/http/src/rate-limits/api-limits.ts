import { hash } from 'node:crypto'
import type { Merchant } from '@tillkit/domain'
import type { Logger, Till } from '@tillkit/till'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { clientNetwork, UNKNOWN_NETWORK } from './client-network.ts'
import { doorway } from './doorway.ts'
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

/** Of so many keys it is remembered that they were good when last looked up. */
const MOST_KEYS = 10_000

/** What became of a request at the limits. */
interface Admission {
  /** Whose key it has; null where it has none that is any. */
  merchant: Merchant | null
  /** Where its key or address stands now; null where nothing counts. */
  standing: Standing | null
}

/** The limits of the API. */
export interface ApiLimits {
  /** Authenticates a request of an address within the limits. A standing that is not `allowed` is the answer. */
  admit(remoteAddress: string | undefined, apiKey: string | null): Promise<Admission>
  /** How many requests of a key a window allows. */
  readonly points: number
  /** Counts so many more for a request that a key was admitted with, and tells where it stands then; null where nothing counts. */
  countMore(apiKey: string | null, points: number): Promise<Standing | null>
}

/**
 * The limits of the API. An address that has used up what it may do unauthenticated causes no lookup, and one that has not
 * causes at most as many at a time as it has left: thousands of wrong keys at once are no more than that many reads. Keys that
 * were good when last looked up do not wait for others.
 */
export function apiLimits(
  till: Pick<Till, 'authenticate'>,
  limiters: ApiRateLimits | false | undefined,
  logger: Pick<Logger, 'warn'>,
): ApiLimits {
  const lookUp = (apiKey: string | null) => (apiKey === null ? null : till.authenticate(apiKey))
  if (limiters === false) {
    return {
      admit: async (_, apiKey) => ({ merchant: await lookUp(apiKey), standing: null }),
      points: Number.POSITIVE_INFINITY,
      countMore: async () => null,
    }
  }

  const perKey = limit('key', limiters?.perKey, PER_KEY, logger)
  const perAddress = limit('address', limiters?.perAddress, PER_ADDRESS, logger)
  const door = doorway(perAddress, UNKNOWN_NETWORK)
  const good = new LRUCache<string, true>({ max: MOST_KEYS })

  async function known(network: string, apiKey: string, keyId: string): Promise<Admission> {
    const merchant = await till.authenticate(apiKey)
    if (merchant !== null) return { merchant, standing: await perKey.count(keyId) }
    good.delete(keyId)
    return { merchant, standing: await perAddress.count(network) }
  }

  async function unknown(network: string, apiKey: string, keyId: string): Promise<Admission> {
    const refused = await door.enter(network)
    if (refused) return { merchant: null, standing: refused }
    let merchant: Merchant | null = null
    let standing: Standing | null = null
    try {
      merchant = await till.authenticate(apiKey)
      if (merchant === null) standing = await perAddress.count(network)
      else good.set(keyId, true)
    } finally {
      door.leave(network)
    }
    return { merchant, standing: standing ?? (await perKey.count(keyId)) }
  }

  return {
    async admit(remoteAddress, apiKey) {
      const network = clientNetwork(remoteAddress) ?? UNKNOWN_NETWORK
      const keyId = apiKey === null ? null : idOf(apiKey)
      if (apiKey !== null && keyId !== null && !good.has(keyId)) return unknown(network, apiKey, keyId)

      // Those without an address share a count, which must not lock out whoever has a key.
      const usedUp = network === UNKNOWN_NETWORK ? null : (await perAddress.left(network)).usedUp
      if (usedUp) return { merchant: null, standing: usedUp }
      if (apiKey !== null && keyId !== null) return known(network, apiKey, keyId)
      return { merchant: null, standing: await perAddress.count(network) }
    },
    points: perKey.points,
    countMore: async (apiKey, points) => (apiKey === null ? null : perKey.count(idOf(apiKey), points)),
  }
}

/** A limiter may keep its keys in another machine's memory: it is not given the API key itself. */
function idOf(apiKey: string): string {
  return hash('sha256', apiKey, 'base64url')
}
