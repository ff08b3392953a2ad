import type { ApiKey, Merchant } from '@tillkit/domain'

/** API keys, by their hashes. */
export interface ApiKeyStore {
  /** Adds a key by its hash. Throws `not_found` when its merchant is unknown. */
  add(apiKey: ApiKey, hash: string): Promise<void>

  /** The merchant whose live key has this hash, or null. One read. */
  findMerchant(hash: string): Promise<Merchant | null>

  /** A merchant's live keys, oldest first. */
  list(merchantId: string): Promise<ApiKey[]>

  /** Ends a key at once. False when the merchant has no such live key; of two racing calls, one gets true. */
  revoke(merchantId: string, id: string): Promise<boolean>
}
