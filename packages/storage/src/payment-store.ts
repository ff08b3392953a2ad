import type {
  Instant,
  NewPayment,
  Outcome,
  Page,
  Payment,
  PaymentFilter,
  PaymentKey,
  Slice,
  WireDate,
} from '@tillkit/domain'
import type { ClaimedDelivery } from './delivery-store.ts'

/** What became of a start. */
export interface Started {
  /** The payment: this call's, or the first that its attempt key started. */
  payment: Payment
  /** Whether this call recorded it. */
  created: boolean
}

/** What became of an outcome. */
export interface Resolved {
  /** The payment as it is now. */
  payment: Payment
  /** Whether this call gave it its outcome. */
  changed: boolean
  /** Its delivery, where that was written under a lease; `payment` is then the same as above. */
  claimed?: ClaimedDelivery | undefined
}

/** What one step of putting dates right did. */
export interface RepairedPayments {
  /** How many payments it changed. */
  payments: number
  /** How many cash ups it changed. */
  cashUps: number
  /** Whether nothing is left to be changed. */
  done: boolean
}

/** Which pending payments are wanted. */
export interface PendingRange {
  /** Those started at or before it. */
  date: WireDate
  /** Those after it; from the oldest when left out. */
  after?: PendingPosition | undefined
  /** How many at most. */
  limit: number
}

/** A run of ids, both ends included; empty where `last` is below `first`. */
export interface IdRange {
  /** The id that it begins with. */
  first: number
  /** The id that it ends with. */
  last: number
}

/** Payments, and all that is decided under their merchant's lock. */
export interface PaymentStore {
  /**
   * Records an attempt, under the merchant's lock. In one step:
   *
   * - An `attemptKey` that the merchant used before changes nothing and returns that first payment, as it is now, with
   *   `created` false. Of calls racing with one key exactly one gets `created` true, across processes: it is the right
   *   to charge the payment.
   * - On a merchant that is suspended, and on a scan code that is, anything else throws `conflict` and records nothing: what
   *   the domain's `assertTakesPayments` throws. Both are looked at with the lock held. A scan code that is unknown is not
   *   suspended.
   * - The id is the merchant's last id plus one, so that ids run 1, 2, 3 … without a gap, whatever fails or rolls back.
   * - The date is `now`, or, where that is null, the store's own time as the lock is taken; or the date of the merchant's last payment or cash up where that is later.
   * - A strict payment is held against the domain's `strictRefusal`; what it reads of the reference is read with the lock
   *   held, so that of strict payments racing for one reference at most one is `pending`, the others `error`.
   * - A refused payment is `error` from the start, and its delivery is written with it as `resolve` does.
   *
   * Throws `not_found` for an unknown merchant.
   *
   * @param traceparent - the trace that a delivery is kept with, where one is written: see `resolve`.
   */
  start(payment: NewPayment, now: Instant | null, traceparent?: string | null): Promise<Started>

  /**
   * Gives a pending payment its outcome: a compare-and-set. `changed` says whether this call did it; the loser of a race
   * gets the payment as the winner left it. In the same step as a change, and only then, its delivery is written,
   * pending and due `now` (null is the store's own time), where the merchant has a webhook URL. Null when there is no such payment.
   *
   * @param traceparent - the trace of this call, in the form of W3C's `traceparent`: 55 characters. It is kept with the
   *   delivery and handed out with each claim of it. Null or left out where nobody traces, and then it costs nothing.
   * @param leaseUntil - until when the delivery is the caller's own, which makes the attempt itself: it is written as `claim`
   *   leaves it and handed over as `claimed`, so that an outcome costs no claim. A merchant whose endpoint is paused gets one
   *   that is due, without a lease. Whoever does not get the answer, or ends, leaves it to others once the lease is over. Null
   *   or left out where nobody here delivers; a store may take no notice of it, and leave the delivery to `claim`.
   */
  resolve(
    key: PaymentKey,
    outcome: Outcome,
    now: Instant | null,
    traceparent?: string | null,
    leaseUntil?: Instant | null,
  ): Promise<Resolved | null>

  /**
   * Puts `statementReference` on all of the merchant's payments in `ids`, or on none. Throws `not_found` when one is
   * unknown and what the domain's `assertSettles` throws; of several it is the one with the lowest id. Settling again under the same reference changes nothing; of
   * two racing settlements of one payment under different references, one throws `conflict`. In the same step those that it
   * settled are added, without a fee, to what `SettlementStore.get` says of the reference.
   */
  settle(merchantId: string, statementReference: string, ids: number[]): Promise<void>

  /**
   * Puts to `now`, null being the store's own time with the merchant's lock held, the dates of up to `limit` payments that
   * lie after it, from the lowest id on, and of the cash ups up to the last of them; with the last payment also the date
   * that no later one is dated before. So ids and dates keep one order at each step, and what starts between two steps
   * is dated like the rest. With a `limit` of 1024 or more reports are right between two steps as well. `done` says that none is left; after that a call changes nothing until a clock is wrong
   * again. Throws `not_found` for an unknown merchant.
   */
  repairDates(merchantId: string, now: Instant | null, limit: number): Promise<RepairedPayments>

  /** One read by key; null when there is none. */
  get(key: PaymentKey): Promise<Payment | null>

  /** The payment that `start` recorded under an attempt key, by one read of an index; null when there is none. */
  findAttempt(merchantId: string, attemptKey: string): Promise<Payment | null>

  /**
   * A slice of the merchant's payments that pass all filters, by descending id, and how many do. Without filters, or
   * with dates alone, it costs the same however many payments there are and however deep the slice lies.
   */
  list(merchantId: string, filter: PaymentFilter, slice: Slice): Promise<Page<Payment>>

  /**
   * The ids of the merchant's payments that were started at or after `startDate` and before `endDate`, of all that there are
   * where both are left out; null for an unknown merchant. As ids have no gap and dates have their order, they are one run.
   * Costs a seek for each end.
   */
  idRange(merchantId: string, dates: Pick<PaymentFilter, 'startDate' | 'endDate'>): Promise<IdRange | null>

  /**
   * Of the payments in a run of ids those that pass the filters, by ascending id, up to `limit`. Costs no more than the run is
   * long. One that cannot be read throws `UnreadableRowError`: a walk leaves out nothing.
   */
  walk(
    merchantId: string,
    filter: Omit<PaymentFilter, 'startDate' | 'endDate'>,
    range: IdRange,
    limit: number,
  ): Promise<Payment[]>

  /**
   * Up to `limit` payments of any merchant that are pending and were started at or before `date`, oldest first: by date,
   * then by merchant id in code-point order, then by id; those after `after` when it is given, which need not be pending
   * any more. So a walk meets each that stays pending once, whatever gets its outcome beside it. Costs what it returns,
   * and the pending ones of the second that it begins in; not what has its outcome.
   */
  pendingSince(range: PendingRange): Promise<PendingPayment[]>
}

/** Where a payment stands among all that are pending. */
export interface PendingPosition extends PaymentKey {
  /** When it was started. */
  date: WireDate
}

/** A pending payment; `payment` is null where its row is there and cannot be read, so that one such row stops nobody. */
export interface PendingPayment extends PendingPosition {
  /** All of it. */
  payment: Payment | null
}
