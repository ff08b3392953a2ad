import type { Instant, Merchant, MerchantPatch } from '@tillkit/domain'

/** Part of a list in the order of merchants' ids. */
export interface MerchantSlice {
  /** Those whose ids come after this one; from the first when left out. */
  after?: string | undefined
  /** How many at most. */
  limit: number
}

/** Merchants and their sealed webhook keys. */
export interface MerchantStore {
  /**
   * Adds a merchant with no payments yet, which is not suspended. A taken id throws `conflict`; of two racing for one id,
   * one gets it.
   */
  create(merchant: Omit<Merchant, 'suspendedAt'>): Promise<void>

  /** One read by key; null when there is none. */
  get(id: string): Promise<Merchant | null>

  /**
   * Changes what `patch` names and returns the merchant, or null when there is none. Two racing updates of different
   * names both hold; of the same name, the later one. A webhook URL that is another than before is an endpoint in order:
   * it is neither failing nor paused, and deliveries that rested are due `now`.
   */
  update(id: string, patch: MerchantPatch, now: Instant): Promise<Merchant | null>

  /**
   * Suspends the merchant at `now`, under its lock: no `start` that comes to the lock after it records a payment, in any
   * process, so that none succeeds once this has resolved. One that is suspended already stays so since when it was.
   * Returns the merchant, or null when there is none.
   */
  suspend(id: string, now: Instant): Promise<Merchant | null>

  /** Ends that; one that is not suspended stays as it is. Null when there is no such merchant. */
  resume(id: string): Promise<Merchant | null>

  /** Up to `limit` merchants by ascending id (code-point order), those after `after` when it is given. */
  list(range: MerchantSlice): Promise<Merchant[]>

  /**
   * Keeps the sealed webhook key in place of any before it. The one that it takes the place of is the previous one until
   * `previousUntil`, in place of any previous one before; where that is null or left out there is none from now on. No two
   * sealed keys are alike: with the one that is kept already only `previousUntil` is, so that a repeat changes nothing.
   * False when there is no such merchant.
   */
  setWebhookKey(id: string, sealedKey: string, previousUntil?: Instant | null): Promise<boolean>
}
