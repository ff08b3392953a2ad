import { after, type Instant, instant } from '../values/date.ts'

/** An endpoint that has failed for this long, without one success, is paused when a delivery has failed for a while, or is given up. */
export const PAUSED_AFTER_DAYS = 5

/**
 * How a merchant's webhook URL has answered. It is `failing` from its first failure until a success; one that has failed
 * for too long is paused, and its deliveries rest until it is woken.
 */
export interface EndpointHealth {
  /** When the first attempt since the last success failed; null when the last one was a success. */
  failingSince: Instant | null
  /** When it was paused; null when it is not. */
  pausedAt: Instant | null
}

/** A paused endpoint, as `till.webhooks.paused` shows it. */
export interface PausedEndpoint {
  /** Whose endpoint it is. */
  merchantId: string
  /** When the first attempt since its last success failed. */
  failingSince: Instant
  /** When it was paused: from then on its deliveries rest. */
  pausedAt: Instant
}

/** An endpoint that fails, paused or not, as `till.webhooks.failing` shows it. */
export interface FailingEndpoint extends EndpointHealth {
  /** Whose endpoint it is. */
  merchantId: string
  /** When the first attempt since its last success failed. */
  failingSince: Instant
}

/** The latest first failure at which an endpoint that still fails at `at` is to be paused. */
export function pausedIfFailingSince(at: Date): Instant {
  return instant(after(at, -PAUSED_AFTER_DAYS * 86_400))
}
