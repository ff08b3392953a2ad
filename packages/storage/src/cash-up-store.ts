import type { CashUp, Instant, Page, Payment, Slice } from '@tillkit/domain'

/** What `CashUpStore.create` takes beside the merchant. */
export interface CashUpToCreate {
  /** 32 lower-case hexadecimal digits, not used before. */
  reference: string
  /** Names the cash up within the merchant; null where it has no name. */
  idempotencyKey: string | null
  /** The time; null is the store's own. */
  now: Instant | null
}

/** Cash ups, and the payments of their periods. */
export interface CashUpStore {
  /**
   * Ends the merchant's period under its lock: the period is the run of ids from the one after the last cash up to the
   * last one given out, perhaps none. So each payment is in exactly one period, whatever starts beside it. The date
   * is `now`, or, where that is null, the store's own time as the lock is taken; or the date of the merchant's last payment or cash up where that is later; `reference` becomes its own,
   * unless `idempotencyKey` was used by the merchant before: then nothing changes and that cash up is returned.
   * Throws `not_found` for an unknown merchant.
   */
  create(merchantId: string, cashUp: CashUpToCreate): Promise<CashUp>

  /** A slice of the merchant's cash ups, newest first, and how many there are. Costs the same however deep it lies. */
  list(merchantId: string, slice: Slice): Promise<Page<CashUp>>

  /**
   * A slice of the completed payments of one period, by descending id, and how many there are; `not_ready` while the
   * period holds a pending payment; null when the merchant has no cash up of that reference.
   */
  payments(merchantId: string, reference: string, slice: Slice): Promise<Page<Payment> | 'not_ready' | null>
}
