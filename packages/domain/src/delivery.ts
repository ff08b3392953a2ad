import { z } from 'zod'
import type { Instant } from './date.ts'
import { merchantId } from './merchant.ts'
import { pageRequest } from './page.ts'

/** `pending` until a receiver answers with success, or the last attempt failed. */
export type DeliveryState = 'pending' | 'delivered' | 'exhausted'

export const DELIVERY_STATES: readonly DeliveryState[] = ['pending', 'delivered', 'exhausted']

/** Names one delivery: each outcome has one. */
export interface DeliveryKey {
  merchantId: string
  paymentId: number
}

/** The notification of one payment's outcome (specification 6) and how far it has come. */
export interface Delivery extends DeliveryKey {
  state: DeliveryState
  /** How often it was tried since it was written or sent again by the host. */
  attempts: number
  /** When it is tried next, or, while it is being tried, when another worker may take it over; null when it is not. */
  nextAttemptAt: Instant | null
  lastAttemptAt: Instant | null
  /** The HTTP status of the last answer; null when none came. */
  lastStatus: number | null
  /** Why the last attempt failed; null after a success. */
  lastError: string | null
  createdAt: Instant
}

/** What `till.webhooks.redeliver` takes: any object with these two, a delivery among them. */
export const deliveryKey = z.object({
  merchantId,
  paymentId: z.int().positive('must be a positive integer'),
})

/** What `till.webhooks.list` takes beside the merchant. */
export const deliveryRange = pageRequest.extend({
  state: z.enum(DELIVERY_STATES, `must be one of ${DELIVERY_STATES.join(', ')}`).optional(),
})
export type DeliveryRange = z.input<typeof deliveryRange>
