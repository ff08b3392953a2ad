import { after, type DeliveryState, instant, pausedIfFailingSince } from '@tillkit/domain'
import type { ClaimedDelivery, DeliveryStore, EndpointStore } from '@tillkit/storage'
import type { Clock } from '../../clock/clock.ts'
import { messageOf } from '../../error-message.ts'
import type { Logger } from '../../options.ts'
import type { Events } from '../events.ts'

/** Pauses the endpoint of a delivery that has failed and is in `state` now, if it has only failed for long. Never throws. */
export type PauseIfFailingForLong = (delivery: ClaimedDelivery, state: DeliveryState) => Promise<void>

/** What a delivery that is not given up has failed for before its endpoint is paused for it. */
const OF_ITS_OWN_SECONDS = 3600

/**
 * Where days may pass between two payments the last failure is long ago and says nothing of today: one that is new is tried
 * for a while first. One that was sent again has the attempts from before it was.
 */
export function createPause(parts: {
  endpoints: Pick<EndpointStore, 'pause'>
  deliveries: Pick<DeliveryStore, 'attempts'>
  events: Pick<Events, 'emit'>
  now: Clock['now']
  logger: Pick<Logger, 'warn' | 'error'>
}): PauseIfFailingForLong {
  const { endpoints, deliveries, events, now, logger } = parts

  const hasFailedForLong = async ({ merchantId, paymentId }: ClaimedDelivery, at: Date) => {
    const [first] = await deliveries.attempts(merchantId, [paymentId])
    return first !== undefined && first.at <= instant(after(at, -OF_ITS_OWN_SECONDS))
  }

  return async (delivery, state) => {
    const { merchantId, failingSince } = delivery
    if (failingSince === null) return
    try {
      const at = await now()
      const limit = pausedIfFailingSince(at)
      if (failingSince > limit) return
      if (state !== 'exhausted' && !(await hasFailedForLong(delivery, at))) return
      const pausedAt = instant(at)
      if (!(await endpoints.pause(merchantId, limit, pausedAt))) return
      logger.warn({ merchantId, failingSince }, 'webhook endpoint paused')
      events.emit('paused', { merchantId, failingSince, pausedAt })
    } catch (error) {
      logger.error({ merchantId, error: messageOf(error) }, 'webhook endpoint not paused')
    }
  }
}
