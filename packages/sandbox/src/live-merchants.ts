import type { Merchant } from '@tillkit/domain'
import type { Till } from '@tillkit/till'
import { LRUCache } from 'lru-cache'

/** Merchants of the live till, as they are or were a few seconds ago. */
export interface LiveMerchants {
  get(id: string): Promise<Merchant | null>
}

/** Remembers, so that a busy test key is no load on the live storage. */
export function rememberedMerchants(till: Till, seconds: number): LiveMerchants {
  if (seconds === 0) return { get: id => till.merchants.get(id) }
  const cache = new LRUCache<string, Merchant>({
    max: 10_000,
    ttl: seconds * 1000,
    fetchMethod: async id => (await till.merchants.get(id)) ?? undefined,
  })
  return { get: async id => (await cache.fetch(id)) ?? null }
}
