import type {
  Delivery,
  DeliveryAttempt,
  DeliveryCounts,
  DeliveryKey,
  DeliveryRange,
  EndpointHealth,
  FailingEndpoint,
  ListedDelivery,
  MerchantRange,
  Page,
  PausedEndpoint,
  PurgeDeliveries,
  RedeliverSince,
} from '@tillkit/domain'
import type { WebhookEventName, WebhookListener } from './events.ts'
import type { Stopped } from './worker/standing.ts'

/** What `till.webhooks.run` takes. */
export interface RunOptions {
  /** Stops the worker when it is aborted. */
  signal?: AbortSignal | undefined
}

/** How many attempts `till.webhooks.deliverDue` made. */
export interface DueDelivered {
  /** Those that a receiver answered with success. */
  delivered: number
  /** Those that failed. */
  failed: number
}

/** `till.webhooks` */
export interface Webhooks {
  /**
   * Starts the delivery worker. Any number of processes may run one; starting twice is the same as once. Once `till.close()` was
   * called it starts none.
   */
  start(): void
  /**
   * Starts it, keeps the process alive, and resolves when it has stopped, after what it has in flight: when `signal` is
   * aborted or `stop()` or `till.close()` is called. A till has one worker: whatever stops it stops it for every `run` and
   * `start`. A storage that is away is waited for. With a signal that is aborted already, or after `till.close()`, it resolves at
   * once. Returns what the stop waited for.
   */
  run(options?: RunOptions): Promise<Stopped>
  /**
   * Stops it after what it has in flight; what it had claimed beside that is due at once, for whoever starts next. It takes
   * `timeoutSeconds` and 10 s at most, also where the storage says nothing any more. Returns what it waited for, which is
   * logged as well, at `info`.
   */
  stop(): Promise<Stopped>
  /**
   * Attempts what is due now; returns how many attempts were a success and how many failed. What had no turn within twice
   * `timeoutSeconds` and a second, because receivers are slow, is in neither number: it is due for a later call, or for a
   * worker, when another `timeoutSeconds` have passed.
   */
  deliverDue(): Promise<DueDelivered>
  /**
   * The delivery of one payment's outcome, with what came of its last 20 attempts; null where there is none: the payment is pending or
   * unknown, the merchant had no webhook URL then, or it was purged.
   */
  get(key: DeliveryKey): Promise<ListedDelivery | null>
  /** Newest payment first, each with what came of its last 20 attempts. */
  list(merchantId: string, query?: DeliveryRange): Promise<Page<ListedDelivery>>
  /** How the merchant's webhook URL has answered: since when it has only failed, and since when it is paused. */
  endpoint(merchantId: string): Promise<EndpointHealth>
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
  /** The endpoints that fail, paused or not, by merchant id: since their last success every attempt has failed. */
  failing(range?: MerchantRange): Promise<FailingEndpoint[]>
  /** What is to be done over all merchants, for monitoring. Costs what is pending and exhausted. */
  counts(): Promise<DeliveryCounts>
  /**
   * Removes what was delivered before a time (a `Date` or an ISO 8601 date-time), in small steps; returns how many. The
   * payments stay, and so does what is pending or exhausted.
   */
  purge(options: PurgeDeliveries): Promise<number>
}
