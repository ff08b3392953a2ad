import type {
  ApiKey,
  CashUp,
  Delivery,
  DeliveryAttempt,
  DeliveryCounts,
  DeliveryKey,
  DeliveryRange,
  FailPayment,
  ListedDelivery,
  Merchant,
  MerchantPatch,
  MerchantRange,
  NewApiKey,
  NewCashUp,
  NewMerchant,
  NewScanCode,
  Page,
  PageRequest,
  PausedEndpoint,
  Payment,
  PaymentFilterInput,
  PaymentKey,
  PurgeDeliveries,
  RedeliverSince,
  RepairedDates,
  ScanCode,
  Settlement,
  StartPayment,
} from '@tillkit/domain'
import type { Logger } from './logging/logger.ts'
import type { Lookup } from './payments/lookup.ts'
import type { Reconciled } from './payments/reconcile.ts'
import type { WebhookEventName, WebhookListener } from './webhooks/events.ts'

/**
 * What a host calls. Every method checks what it is given and throws `TillError`: `invalid_input` naming what is wrong,
 * `not_found` for an unknown merchant, scan code, payment or cash up, `conflict` and `not_ready` where a comment says so.
 * Amounts are cents, dates UTC strings.
 */
export interface Till {
  merchants: Merchants
  apiKeys: ApiKeys
  scanCodes: ScanCodes
  payments: Payments
  cashUps: CashUps
  webhooks: Webhooks
  /**
   * The merchant whose live API key this is, or null (specification 5). A mistyped key costs no read of the storage, and
   * a key's merchant is remembered for a few seconds.
   */
  authenticate(apiKey: string): Promise<Merchant | null>
  /**
   * Puts right what a wrong clock has dated into the future: the merchant's payments and cash ups that lie after the
   * database's time are put to it, so that ids and dates keep one order and the next payment is dated now; and so are
   * its deliveries and its endpoint where they lie more than a minute, or a lease, ahead: what waited for such a time is due, and
   * an endpoint that was paused then is awake. Returns how many of each; again, it changes nothing. In short steps,
   * beside which payments start as ever. Have the clock put right first.
   */
  repairDates(merchantId: string): Promise<RepairedDates>
  /** What the till logs to, and what is mounted on it unless it was given a logger of its own: never throws. */
  logger: Logger
  /**
   * Stops the worker after what it has in flight: within `timeoutSeconds` and 10 s, whatever the storage does. The storage
   * stays the host's to close.
   */
  close(): Promise<void>
}

export interface Merchants {
  /** Adds a merchant. A taken `id` throws `conflict`; one is made up when left out. Features are off unless given. */
  create(merchant: NewMerchant): Promise<Merchant>
  get(id: string): Promise<Merchant | null>
  /** Changes what the patch names; `webhookUrl: null` ends webhooks. */
  update(id: string, patch: MerchantPatch): Promise<Merchant>
  /** By id, those after `after`, at most `limit` (100; up to 1000). */
  list(range?: MerchantRange): Promise<Merchant[]>
  /** Makes or replaces the key that signs the merchant's webhooks (specification 6.4) and returns it, this once. */
  issueWebhookKey(id: string): Promise<string>
}

export interface ApiKeys {
  /** Issues a key beside those that are live. The key itself is returned this once; only its SHA-256 is kept. */
  issue(merchantId: string, options?: NewApiKey): Promise<{ id: string; apiKey: string }>
  /** The live keys, oldest first. */
  list(merchantId: string): Promise<ApiKey[]>
  /** Ends a key: at once in this process, within the remembered seconds in another. */
  revoke(merchantId: string, id: string): Promise<void>
}

export interface ScanCodes {
  /** Adds a scan code, made up of 128 random bits unless given. A code that anyone has throws `conflict`. */
  create(merchantId: string, options?: NewScanCode): Promise<ScanCode>
  get(code: string): Promise<ScanCode | null>
  /** Oldest first. */
  list(merchantId: string): Promise<ScanCode[]>
}

export interface Payments {
  /**
   * Records an attempt and returns it, `pending`, or already `error` with `failure` where strict mode refuses it
   * (specification 4.7). The same `attemptKey` again returns the first payment.
   */
  start(payment: StartPayment): Promise<Payment>
  /**
   * `start` that also says whether this call recorded the payment. Of calls with one `attemptKey`, in any number of
   * processes, exactly one gets `created` true: who gets it charges, if the payment is `pending`; the others only look.
   */
  startOnce(payment: StartPayment): Promise<{ payment: Payment; created: boolean }>
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
  failStale(options: { olderThanSeconds: number }): Promise<number>
  /**
   * What has been pending for longer, of all merchants, oldest first: at most `limit` (100; up to 1000), and where to go
   * on, `after`, null at the end. Payments that get their outcome meanwhile move no other to another page.
   */
  unresolved(options: UnresolvedOptions): Promise<{ items: Payment[]; after: string | null }>
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
  get(merchantId: string, id: number): Promise<Payment | null>
  /** The payment that was started with an `attemptKey`, as it is now; null when none was. */
  findAttempt(merchantId: string, attemptKey: string): Promise<Payment | null>
  /** By descending id (specification 4.2). */
  list(merchantId: string, query?: PageRequest & { filter?: PaymentFilterInput }): Promise<Page<Payment>>
}

/** What `till.payments.unresolved` takes. */
export interface UnresolvedOptions {
  olderThanSeconds: number
  /** The `after` of the page before; the first page when left out or null. */
  after?: string | null | undefined
  limit?: number | undefined
}

/** What `till.payments.reconcile` takes beside the lookup. */
export interface ReconcileOptions {
  olderThanSeconds: number
  /** How many lookups are under way at most: 8, up to 100. */
  concurrency?: number | undefined
  /** After how many seconds without an answer a lookup has failed: 30, up to 600. */
  timeoutSeconds?: number | undefined
  /** Ends the run: what is being written is, lookups under way are left, and the counts so far are returned. */
  signal?: AbortSignal | undefined
}

export interface CashUps {
  /** Ends the period and starts a new one (specification 4.4). The same `idempotencyKey` again returns that cash up. */
  create(merchantId: string, options?: NewCashUp): Promise<CashUp>
  /** Newest first (specification 4.6). */
  list(merchantId: string, page?: PageRequest): Promise<Page<CashUp>>
  /**
   * The completed payments of a period by descending id (specification 4.5). An unknown reference throws `not_found`, a
   * period with a pending payment `not_ready`.
   */
  payments(merchantId: string, reference: string, page?: PageRequest): Promise<Page<Payment>>
}

export interface Webhooks {
  /** Starts the delivery worker. Any number of processes may run one; starting twice is the same as once. */
  start(): void
  /**
   * Starts it, keeps the process alive, and resolves when it has stopped, after what it has in flight: when `signal` is
   * aborted or `stop()` or `till.close()` is called. A till has one worker: whatever stops it stops it for every `run` and
   * `start`. A storage that is away is waited for. With a signal that is aborted already it resolves at once.
   */
  run(options?: { signal?: AbortSignal | undefined }): Promise<void>
  /**
   * Stops it after what it has in flight; what it had claimed beside that is due at once, for whoever starts next. It takes
   * `timeoutSeconds` and 10 s at most, also where the storage says nothing any more.
   */
  stop(): Promise<void>
  /** Attempts everything that is due now; returns how many attempts were a success and how many failed. */
  deliverDue(): Promise<{ delivered: number; failed: number }>
  /** Newest payment first, each with what came of its last 20 attempts. */
  list(merchantId: string, query?: DeliveryRange): Promise<Page<ListedDelivery>>
  /**
   * Sends the outcome of a payment again, from the first attempt on, or for the first time where the merchant had no
   * webhook URL then. Throws `conflict` for a payment that is pending or a merchant without a webhook URL.
   */
  redeliver(key: DeliveryKey): Promise<Delivery>
  /**
   * Does so for all deliveries of a merchant that were written at or after a time (a `Date` or an ISO 8601 date-time), of
   * any state unless told otherwise; returns how many. Throws `conflict` for a merchant without a webhook URL.
   */
  redeliverSince(merchantId: string, options: RedeliverSince): Promise<number>
  /**
   * Posts a made-up payment to the merchant's webhook URL at once, signed like any other, and returns what came of it. Its
   * `id` is 0, its `totalAmount` 0 and its `extra` `{ "test": "true" }`, so that nobody takes it for a payment. Nothing is
   * kept of it; a success wakes an endpoint that was failing or paused. Throws `conflict` for a merchant without a
   * webhook URL.
   */
  sendTest(merchantId: string): Promise<DeliveryAttempt>
  /**
   * Calls `listener` for each such event of this process's worker, after it was written down, until the function that is
   * returned is called. A listener that throws is logged and harms nothing. Throws `invalid_input` for an event that there
   * is not and for a listener that is no function.
   */
  on<Name extends WebhookEventName>(event: Name, listener: WebhookListener<Name>): () => void
  /**
   * The endpoints that have only failed for five days and are paused, by merchant id: their deliveries rest, and none is
   * exhausted. A successful `redeliver` or `sendTest` wakes one, and so does another webhook URL.
   */
  paused(range?: MerchantRange): Promise<PausedEndpoint[]>
  /** What is to be done over all merchants, for monitoring. Costs what is pending and exhausted. */
  counts(): Promise<DeliveryCounts>
  /**
   * Removes what was delivered before a time (a `Date` or an ISO 8601 date-time), in small steps; returns how many. The
   * payments stay, and so does what is pending or exhausted.
   */
  purge(options: PurgeDeliveries): Promise<number>
}
