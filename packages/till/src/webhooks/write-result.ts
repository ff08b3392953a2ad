import type { DeliveryResult, DeliveryStore } from '@tillkit/storage'
import { messageOf } from '../error-message.ts'
import type { Logger } from '../options.ts'

/** Writes the result of an attempt down; false when another worker, or the host, had taken the delivery over. */
export type WriteResult = (result: DeliveryResult, leaseUntil: Date) => Promise<boolean>

const TRIES = 8
const FIRST_PAUSE_MILLISECONDS = 100

/**
 * Tries again while the storage is away, as long as the lease lasts: a result that is not written costs the receiver a
 * repeat. One whose answer was lost is not counted twice, since the first write ended the lease. Never throws.
 */
export function createWriteResult(parts: {
  deliveries: Pick<DeliveryStore, 'record'>
  clock: () => Date
  logger: Logger
}): WriteResult {
  const { deliveries, clock, logger } = parts
  return async (result, leaseUntil) => {
    const { merchantId, paymentId } = result
    for (let tries = 1; ; tries++) {
      try {
        const written = await deliveries.record(result)
        if (written || tries > 1) return true
        logger.warn({ merchantId, paymentId }, 'webhook taken over before its result was written')
        return false
      } catch (error) {
        logger.error({ merchantId, paymentId, error: messageOf(error) }, 'webhook result not written')
        if (tries === TRIES || clock() >= leaseUntil) return false
        await pause(FIRST_PAUSE_MILLISECONDS * 2 ** (tries - 1))
      }
    }
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, milliseconds))
}
