import type { DeliveryKey } from '@tillkit/domain'
import type { ClaimedDelivery, DeliveryResult, DeliveryStore } from '@tillkit/storage'
import type { Clock } from '../../clock/clock.ts'
import { messageOf } from '../../error-message.ts'
import type { Logger } from '../../options.ts'
import { keepable, withoutTexts } from './keepable.ts'

/** What came of attempts, on its way into the storage. */
export interface Results {
  /**
   * Writes the result of an attempt down; false when another worker, or the host, had taken the delivery over, or the
   * storage did not take it. Never throws.
   */
  write(result: DeliveryResult, leaseUntil: Date): Promise<boolean>
  /**
   * The result that the storage did not take, where the delivery's lease is the next one after that result's: nobody has
   * attempted it since, so its receiver need not get it again. Not for a payment that was started later: it got the id of the
   * one before in an older state of the database, a backup's, or a standby's that was behind.
   */
  unwritten(delivery: ClaimedDelivery): DeliveryResult | null
}

const TRIES = 8
const FIRST_PAUSE_MILLISECONDS = 100

/** How many results are remembered that could not be written. */
const MOST_UNWRITTEN = 10_000

/**
 * Tries again while the storage is away, as long as the lease lasts: a result that is not written costs the receiver a
 * repeat. One whose answer was lost is not counted twice, since the first write ended the lease. What the storage would
 * refuse for its texts it is given at last without them.
 */
export function createResults(parts: {
  deliveries: Pick<DeliveryStore, 'record'>
  now: Clock['now']
  logger: Logger
}): Results {
  const { deliveries, now, logger } = parts
  const left = new Map<string, DeliveryResult>()

  /** Not where the clock says no time: it is tried once more then. */
  const isOver = (leaseUntil: Date) =>
    now().then(
      at => at >= leaseUntil,
      () => false,
    )

  const leave = (result: DeliveryResult) => {
    left.set(nameOf(result), result)
    const [oldest] = left.keys()
    if (left.size > MOST_UNWRITTEN && oldest !== undefined) left.delete(oldest)
  }

  return {
    async write(given, leaseUntil) {
      const { merchantId, paymentId } = given
      const result = { ...given, attempt: keepable(given.attempt) }
      for (let tries = 1; ; tries++) {
        try {
          const last = tries === TRIES ? { ...result, attempt: withoutTexts(result.attempt) } : result
          const written = await deliveries.record(last)
          if (written || tries > 1) return true
          logger.warn({ merchantId, paymentId }, 'webhook taken over before its result was written')
          return false
        } catch (error) {
          logger.error({ merchantId, paymentId, error: messageOf(error) }, 'webhook result not written')
          if (tries === TRIES || (await isOver(leaseUntil))) {
            leave(result)
            return false
          }
          await pause(FIRST_PAUSE_MILLISECONDS * 2 ** (tries - 1))
        }
      }
    },

    unwritten(delivery) {
      const { fence, payment } = delivery
      const result = left.get(nameOf(delivery))
      left.delete(nameOf(delivery))
      if (result?.fence !== fence - 1) return null
      const isOfAnother = payment !== null && Date.parse(payment.date) > Date.parse(result.attempt.at)
      return isOfAnother ? null : { ...result, fence }
    },
  }
}

function nameOf({ merchantId, paymentId }: DeliveryKey): string {
  return `${merchantId} ${paymentId}`
}

function pause(milliseconds: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, milliseconds))
}
