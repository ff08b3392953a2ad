import type { Delivery, DeliveryKey, DeliveryState, Instant, Page, Payment, Slice } from '@tillkit/domain'

/** A delivery that one worker holds until its lease ends, with all that it takes to make the attempt. */
export interface ClaimedDelivery extends DeliveryKey {
  /** Attempts recorded before this one. */
  attempts: number
  /** The fencing number of the lease: `record` with an older one is ignored. */
  fence: number
  payment: Payment
  /** The merchant's webhook URL and sealed webhook key as they are now. */
  webhookUrl: string | null
  webhookKey: string | null
}

/** What a worker writes down of an attempt. */
export interface DeliveryResult extends DeliveryKey {
  fence: number
  state: DeliveryState
  nextAttemptAt: Instant | null
  lastAttemptAt: Instant
  lastStatus: number | null
  lastError: string | null
}

export interface DeliveryStore {
  /**
   * Up to `limit` pending deliveries whose time has come by `now`, the longest due first, each under a lease until
   * `leaseUntil` with a fencing number above every one before. Two workers never hold the same delivery at once: until
   * its lease ends it is not due, and after it anyone may claim it again.
   */
  claim(request: { now: Instant; leaseUntil: Instant; limit: number }): Promise<ClaimedDelivery[]>

  /**
   * Writes an attempt down, and counts it, if the lease is still the caller's own. False when it is not: the delivery was
   * claimed again or sent again since, and stays as it is.
   */
  record(result: DeliveryResult): Promise<boolean>

  /**
   * Makes the delivery of a payment pending, due `now`, with no attempts, and voids any lease on it; what is known of the
   * last attempt stays. Writes one where none was. The caller has seen that the payment is there and its outcome known, which never changes.
   */
  requeue(key: DeliveryKey, now: Instant): Promise<Delivery>

  /** A slice of the merchant's deliveries, newest payment first, those in `state` when it is given. */
  list(merchantId: string, state: DeliveryState | undefined, slice: Slice): Promise<Page<Delivery>>
}
