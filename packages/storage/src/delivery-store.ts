import type {
  Delivery,
  DeliveryAttempt,
  DeliveryCounts,
  DeliveryKey,
  DeliveryState,
  Instant,
  Page,
  Payment,
  Slice,
} from '@tillkit/domain'
import type { PreviousWebhookKey } from './previous-webhook-key.ts'

/** A worker's hold on a delivery. */
export interface Lease extends DeliveryKey {
  /** The fencing number of the lease: what is done with an older one is ignored. */
  fence: number
}

/** A delivery that one worker holds until its lease ends, with all that it takes to make the attempt. */
export type ClaimedDelivery = HeldDelivery & (WithPayment | WithoutPayment)

interface HeldDelivery extends Lease {
  /** Attempts recorded before this one. */
  attempts: number
  /** The merchant's webhook URL as it is now. */
  webhookUrl: string | null
  /** Its sealed webhook key as it is now; null where none was issued. */
  webhookKey: string | null
  /** The sealed key that it took the place of, as the endpoint has it. */
  previousWebhookKey: PreviousWebhookKey | null
  /** Since when the merchant's endpoint has only failed; null when its last attempt was a success. */
  failingSince: Instant | null
  /** The trace in which the outcome was recorded, as it was handed in with it; null where none was. */
  traceparent: string | null
}

interface WithPayment {
  /** What the delivery tells of. */
  payment: Payment
  /** Nothing is wrong with it. */
  fault?: undefined
}

/** One that cannot be delivered as it is kept. */
interface WithoutPayment {
  /** There is none that could be read. */
  payment: null
  /** Why, in words that are fit to show and hold nothing of the row: `payment is gone`. */
  fault: string
}

/** What a worker writes down of an attempt: how it went and where the delivery stands after it. */
export interface DeliveryResult extends Lease {
  /** Whether the delivery is over, and how. */
  state: DeliveryState
  /** When it is tried next; null when it is over. */
  nextAttemptAt: Instant | null
  /** How the attempt went. */
  attempt: DeliveryAttempt
  /** False where nothing was sent to the endpoint, so that it learns nothing of this attempt; true when left out. */
  asked?: boolean
}

/** What is too far ahead to be true. */
export interface RepairTimes {
  /** The time that it is. */
  now: Instant
  /** Nothing was written, tried or paused after this, and no lease is longer. */
  soon: Instant
  /** Nothing waits for longer. */
  latest: Instant
}

/** What a worker asks for. */
export interface ClaimRequest {
  /** The time; null is the store's own. */
  now: Instant | null
  /** When another worker may take the deliveries over. */
  leaseUntil: Instant
  /** How many at most. */
  limit: number
  /** Merchants whose deliveries are left out; none when left out. */
  exceptMerchants?: readonly string[]
  /** The one merchant whose deliveries are wanted; those of all when left out. */
  onlyMerchant?: string | undefined
}

/** Deliveries by the ids of their payments. */
export interface DeliveryIdRange {
  /** The lowest id. */
  firstId: number
  /** The highest id, included. */
  lastId: number
}

/** Which deliveries are sent again. */
export interface RequeueRange extends DeliveryIdRange {
  /** Those written at or after this time. */
  since: Instant
  /** Those in this state; all when left out. */
  state?: DeliveryState | undefined
}

/** A kept attempt, and whose delivery it was of. */
export interface KeptAttempt extends DeliveryAttempt {
  /** The payment of the delivery. */
  paymentId: number
}

/** Deliveries, their attempts and their leases: the outbox of webhooks. */
export interface DeliveryStore {
  /**
   * Up to `limit` pending deliveries whose time has come by `now` (null is the store's own time), the longest due first,
   * each under a lease until `leaseUntil` with a fencing number above every one before. Two workers never hold the same
   * delivery at once: until its lease ends it is not due, and after it anyone may claim it again. Two kinds are left out:
   * those of `exceptMerchants`, and of all but `onlyMerchant` where it is given, which stay due, and those of merchants whose
   * endpoint is paused, which rest, without a next attempt, until it is woken. One whose payment or merchant is gone or cannot
   * be read is handed over too, with the fault that it has, and keeps no other back. What a claim costs does not grow with what is delivered. A store need
   * not look with every claim at all that is due for those of `exceptMerchants`, nor, where `now` is null, at what was delivered
   * and is not cleaned up: what became due among it as of more than 20 seconds ago may be found ten seconds later.
   */
  claim(request: ClaimRequest): Promise<ClaimedDelivery[]>

  /**
   * Writes an attempt down, and counts it, if the lease is still the caller's own, and ends the lease. False when it is
   * not: the delivery was recorded with this lease already, claimed again or sent again since, and stays as it is. So it
   * may be called again where its answer was lost. In the same step the attempt becomes the newest of those kept
   * (`KEPT_ATTEMPTS`, older ones go), and the merchant's endpoint learns of it: a failure is the start of failing where
   * it was not failing, a success ends that, wakes it, and makes due what rested. `error` and `answer` are up to 1024
   * characters without NUL; a result that cannot be kept is refused alone, whatever is recorded beside it.
   */
  record(result: DeliveryResult): Promise<boolean>

  /**
   * Gives leases back whose attempts were not begun: the deliveries are due `at`, now or later, with no attempt counted.
   * One whose lease is not the caller's own any more stays as it is.
   */
  release(leases: readonly Lease[], at: Instant): Promise<void>

  /**
   * Makes the delivery of a payment pending, due `now`, with no attempts, and voids any lease on it; what is known of
   * earlier attempts stays. Writes one where none was. A paused endpoint is not paused after it, though still failing:
   * what rests goes on resting until a success. The caller has seen that the payment is there and its outcome known,
   * which never changes.
   */
  requeue(key: DeliveryKey, now: Instant): Promise<Delivery>

  /**
   * Does the same to all deliveries there are of the merchant's payments from `firstId` to `lastId`, as long as they
   * were written at or after `since`, and are in `state` when it is given. Returns how many.
   */
  requeueRange(merchantId: string, range: RequeueRange, now: Instant): Promise<number>

  /**
   * Puts to `now` what a wrong clock wrote into the deliveries of the merchant's payments from `firstId` to `lastId`: when
   * they were written or tried, where that lies after `soon`; and when a pending one is due, where that lies after
   * `latest`, or after `soon` for one that was not tried since it was written, or was written or tried after it. Returns
   * how many deliveries it changed. A lease that ends by `soon` is left alone.
   */
  repairDates(merchantId: string, range: DeliveryIdRange, times: RepairTimes): Promise<number>

  /** One read by key; null where the payment has no delivery. */
  get(key: DeliveryKey): Promise<Delivery | null>

  /** A slice of the merchant's deliveries, newest payment first, those in `state` when it is given. */
  list(merchantId: string, state: DeliveryState | undefined, slice: Slice): Promise<Page<Delivery>>

  /** The kept attempts of the deliveries of these payments, up to 100, each delivery's oldest first. */
  attempts(merchantId: string, paymentIds: readonly number[]): Promise<KeptAttempt[]>

  /** Counts over all merchants. Costs what is pending and exhausted, not what is delivered. */
  counts(now: Instant): Promise<DeliveryCounts>

  /**
   * Removes up to `limit` delivered deliveries whose last attempt began before `before`, and their attempts; returns how
   * many deliveries. Costs what it removes.
   */
  purge(before: Instant, limit: number): Promise<number>
}
