import type {
  FailPayment,
  Page,
  PageRequest,
  Payment,
  PaymentFilterInput,
  PaymentKey,
  Settlement,
  StartPayment,
} from '@tillkit/domain'
import type { Lookup } from './lookup.ts'

/** What became of `till.payments.startOnce`. */
export interface StartedPayment {
  /** The payment: this call's, or the first that its `attemptKey` started. */
  payment: Payment
  /** Whether this call recorded it. */
  created: boolean
}

/** A page of payments whose outcome is not known. */
export interface UnresolvedPayments {
  /** The payments, oldest first. */
  items: Payment[]
  /** Where to go on; null at the end. */
  after: string | null
}

/** What `till.payments.failStale` takes. */
export interface FailStaleOptions {
  /** How long a payment has been pending for, in seconds. */
  olderThanSeconds: number
}

/** What `till.payments.list` takes beside the merchant. */
export interface PaymentQuery extends PageRequest {
  /** Only payments for which all of it holds; all when left out. */
  filter?: PaymentFilterInput | undefined
}

/** What `till.payments.export` takes beside the merchant. */
export interface ExportOptions {
  /** Only payments for which all of it holds; all when left out. */
  filter?: PaymentFilterInput | undefined
  /** Only payments after this one: the last that was handled before; from the first when left out or 0. */
  afterId?: number | undefined
}

/** What came of the payments that a run of `till.payments.reconcile` met. */
export interface Reconciled {
  /** Recorded as completed by this run. */
  completed: number
  /** Recorded as failed by this run. */
  failed: number
  /** Still under way, as the processor says. */
  pending: number
  /** Not known to the processor: what `failStale` is for, when it is old enough. */
  unknown: number
  /** The lookup failed, the outcome was not written, or another one had been: each is logged. */
  errors: number
}

/** `till.payments` */
export interface Payments {
  /**
   * Records an attempt and returns it, `pending`, or already `error` with `failure` where strict mode refuses it
   * (API 4.7). The same `attemptKey` again returns the first payment.
   */
  start(payment: StartPayment): Promise<Payment>
  /**
   * `start` that also says whether this call recorded the payment. Of calls with one `attemptKey`, in any number of
   * processes, exactly one gets `created` true: who gets it charges, if the payment is `pending`; the others only look.
   */
  startOnce(payment: StartPayment): Promise<StartedPayment>
  /** The payment was successful. Saying so twice is fine; a payment that is `error` throws `conflict`. */
  complete(key: PaymentKey): Promise<Payment>
  /**
   * The payment failed. Saying so twice is fine; a payment that is `completed` throws `conflict`. Whatever the failure is,
   * the outcome is recorded: what does not fit is cut or left out, and logged.
   */
  fail(key: PaymentKey, options?: FailPayment): Promise<Payment>
  /**
   * Fails, as `stale`, what has been pending for longer, of all merchants; returns how many. For what the processor does
   * not know either: `reconcile` first. One that cannot be failed is logged, and the others go on.
   */
  failStale(options: FailStaleOptions): Promise<number>
  /**
   * What has been pending for longer, of all merchants, oldest first: at most `limit` (100; up to 1000), and where to go
   * on, `after`, null at the end. Payments that get their outcome meanwhile move no other to another page.
   */
  unresolved(options: UnresolvedOptions): Promise<UnresolvedPayments>
  /**
   * Asks the host's `lookup` about each payment that has been pending for longer, once, oldest first, and records the
   * outcomes that it knows, webhooks included. It goes on when a lookup or a write fails, holds a few payments in memory
   * however many there are, and may run in several processes at once: each outcome is recorded, and counted, by one.
   */
  reconcile(lookup: Lookup, options: ReconcileOptions): Promise<Reconciled>
  /**
   * Records that completed payments were paid out under a statement reference: all of them or none. One that is not
   * completed, or settled under another reference, throws `conflict`.
   */
  settle(merchantId: string, settlement: Settlement): Promise<void>
  /** The payment as it is now; null when the merchant has none with this id. */
  get(merchantId: string, id: number): Promise<Payment | null>
  /** The payment that was started with an `attemptKey`, as it is now; null when none was. */
  findAttempt(merchantId: string, attemptKey: string): Promise<Payment | null>
  /** By descending id (API 4.2). */
  list(merchantId: string, query?: PaymentQuery): Promise<Page<Payment>>
  /**
   * All that pass the filter by ascending id, one after the other, however many there are: 500 are in memory at most, and
   * between two pages no connection and no transaction is held. It is ready where the first step is taken: what is wrong with
   * its arguments, and an unknown merchant, is thrown there. It ends with the last payment that there was then, whatever
   * starts beside it, and has each as it was when its page was read. Given the id of the last payment that
   * was handled as `afterId`, it goes on where another one was left.
   */
  export(merchantId: string, options?: ExportOptions): AsyncIterableIterator<Payment>
}

/** What `till.payments.unresolved` takes. */
export interface UnresolvedOptions {
  /** How long a payment has been pending for, in seconds. */
  olderThanSeconds: number
  /** The `after` of the page before; the first page when left out or null. */
  after?: string | null | undefined
  /** How many at most: 100 when left out, up to 1000. */
  limit?: number | undefined
}

/** What `till.payments.reconcile` takes beside the lookup. */
export interface ReconcileOptions {
  /** How long a payment has been pending for, in seconds: what is younger may still be under way in its own process. */
  olderThanSeconds: number
  /** How many lookups are under way at most: 8, up to 100. */
  concurrency?: number | undefined
  /** After how many seconds without an answer a lookup has failed: 30, up to 600. */
  timeoutSeconds?: number | undefined
  /**
   * Ends the run: what is being written is, lookups under way are left, and the counts so far are returned. They say nothing of
   * the payments that were not asked about: where it is aborted, nothing is to be failed by them.
   */
  signal?: AbortSignal | undefined
}
