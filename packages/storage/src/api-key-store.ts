import type { ApiKey, Instant, Merchant } from '@tillkit/domain'

/** Whose a key is. */
export interface KeyOwner {
  /** The merchant, as it is now. */
  merchant: Merchant
  /** For how many seconds more the key is live, by the time that it was judged by; null where it does not expire. */
  secondsLeft: number | null
}

/** API keys, by their hashes. */
export interface ApiKeyStore {
  /** Adds a key by its hash. Throws `not_found` when its merchant is unknown. */
  add(apiKey: ApiKey, hash: string): Promise<void>

  /**
   * The merchant whose live key has this hash, or null. A key is not live any more from `expiresAt` on, by `now` (null is the
   * store's own time). One read.
   */
  findMerchant(hash: string, now: Instant | null): Promise<KeyOwner | null>

  /** A merchant's keys that were not revoked, oldest first, those of one moment by their id; those that have expired among them. */
  list(merchantId: string): Promise<ApiKey[]>

  /** Ends a key at once. False when the merchant has no such key, or it was revoked before; of two racing calls, one gets true. */
  revoke(merchantId: string, id: string): Promise<boolean>
}
