import { z } from 'zod'
import { merchantId } from '../merchants/merchant.ts'
import { paymentId } from '../payments/payment.ts'
import { type Instant, moment } from '../values/date.ts'
import { type PageRequest, pageRequest } from '../values/page.ts'

/** `pending` until a receiver answers with success, or the last attempt failed. */
export type DeliveryState = 'pending' | 'delivered' | 'exhausted'

/** All states of a delivery. */
export const DELIVERY_STATES: readonly DeliveryState[] = ['pending', 'delivered', 'exhausted']

/** Names one delivery: each outcome has one. */
export interface DeliveryKey {
  /** Whose payment it tells of. */
  merchantId: string
  /** The payment's id. */
  paymentId: number
}

/** The notification of one payment's outcome (API 6) and how far it has come. */
export interface Delivery extends DeliveryKey {
  /** How far it has come. */
  state: DeliveryState
  /** How often it was tried since it was written or sent again by the host. */
  attempts: number
  /** When it is tried next, or, while it is being tried, when another worker may take it over; null when it is not. */
  nextAttemptAt: Instant | null
  /** When the last attempt began; null before the first. */
  lastAttemptAt: Instant | null
  /** The HTTP status of the last answer; null when none came. */
  lastStatus: number | null
  /** Why the last attempt failed; null after a success. */
  lastError: string | null
  /** When the outcome was recorded. */
  createdAt: Instant
}

/** One attempt of a delivery, as it is kept. */
export interface DeliveryAttempt {
  /** When it began. */
  at: Instant
  /** The HTTP status of the answer; null when none came. */
  status: number | null
  /** How long it took, dialling and the answer's body included. */
  milliseconds: number
  /** Why it failed; null for a success. */
  error: string | null
  /** The first 1 KiB of the answer's body, as text; null where there was none, or none that is text. */
  answer: string | null
}

/** How many attempts of a delivery are kept, the newest. */
export const KEPT_ATTEMPTS = 20

/** A delivery with what came of its last attempts, oldest first, also those from before it was sent again. */
export interface ListedDelivery extends Delivery {
  /** Up to 20 attempts. */
  history: DeliveryAttempt[]
}

/** What is to be done, over all merchants. */
export interface DeliveryCounts {
  /** Not delivered and not exhausted: due, being tried, waiting for a retry, or resting while an endpoint is paused. */
  pending: number
  /** Pending ones whose time has come and that nobody has taken up. */
  due: number
  /** When the one that is due the longest became due; null when none is. */
  oldestDueAt: Instant | null
  /** Given up: they are sent again only by `till.webhooks.redeliver` and `redeliverSince`. */
  exhausted: number
  /** Merchants whose endpoint is paused. */
  pausedEndpoints: number
}

/** Checks what `till.webhooks.redeliver` takes: any object with these two, a delivery among them. */
export const deliveryKey = z.object({
  merchantId,
  paymentId,
})

/** What `till.webhooks.list` takes beside the merchant. */
export interface DeliveryRange extends PageRequest {
  /** Only deliveries in this state; all when left out. */
  state?: DeliveryState | undefined
}

/** Checks a `DeliveryRange`. */
export const deliveryRange = pageRequest.extend({
  state: z.enum(DELIVERY_STATES, `must be one of ${DELIVERY_STATES.join(', ')}`).optional(),
})

/** How far `till.webhooks.redeliverSince` has come. */
export interface RedeliverProgress {
  /** How many payments were looked at, the newest first. */
  done: number
  /** How many there are to look at. */
  total: number
  /** How many deliveries are to be sent again. */
  redelivered: number
}

/** What `till.webhooks.redeliverSince` takes beside the merchant. */
export interface RedeliverSince {
  /** Deliveries written at or after this time: a `Date`, or an ISO 8601 date-time with `Z` or an offset. */
  since: Date | string
  /** Only deliveries in this state; all when left out. */
  state?: DeliveryState | undefined
  /** Hears, after each 500 payments, how far it has come. What it throws is passed over. */
  onProgress?: ((progress: RedeliverProgress) => void) | undefined
}

/** Checks a `RedeliverSince`. */
export const redeliverSince = z.strictObject({
  since: moment,
  state: z.enum(DELIVERY_STATES, `must be one of ${DELIVERY_STATES.join(', ')}`).optional(),
  onProgress: z
    .custom<(progress: RedeliverProgress) => void>(value => typeof value === 'function', 'must be a function')
    .optional(),
})

/** What `till.webhooks.purge` takes. */
export interface PurgeDeliveries {
  /** Deliveries that were delivered before this time: a `Date`, or an ISO 8601 date-time with `Z` or an offset. */
  olderThan: Date | string
}

/** Checks a `PurgeDeliveries`. */
export const purgeDeliveries = z.strictObject({ olderThan: moment })
