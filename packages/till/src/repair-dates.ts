import { after, instant, RETRY_DELAYS, type RepairedDates } from '@tillkit/domain'
import type { Context } from './context.ts'
import { assertMerchantId } from './merchants/known-merchant.ts'
import type { WebhookOptions } from './options.ts'
import type { Till } from './till.ts'
import { DEFAULT_TIMEOUT_SECONDS } from './webhooks/wire/post.ts'
import { longestPutOff } from './webhooks/worker/put-off.ts'

/**
 * How many payments, or deliveries, are put right in one step of the storage: few enough that nobody waits for it, and as many as a
 * store keeps the sums of in one piece, so that each step can end where a piece does.
 */
const STEP = 1024

/** What lies no more seconds ahead than this, or than a lease or what is put off, comes true by itself. */
const SOON = 60
/** The longest that a receiver may ask to wait; a retry may be later by the host's own delays. */
const LONGEST_WAIT = 86_400

export function repairDates(
  { storage, clock, wakeWorker }: Context,
  { retryDelays = [], timeoutSeconds = DEFAULT_TIMEOUT_SECONDS }: WebhookOptions,
): Till['repairDates'] {
  const soon = Math.max(SOON, longestPutOff(timeoutSeconds))
  const longestWait = 1.2 * Math.max(LONGEST_WAIT, ...RETRY_DELAYS, ...retryDelays)

  return async merchantId => {
    assertMerchantId(merchantId)
    const repaired: RepairedDates = { payments: 0, cashUps: 0, deliveries: 0, endpoints: 0 }
    for (let done = false; !done; ) {
      const step = await storage.payments.repairDates(merchantId, clock.given(), STEP)
      repaired.payments += step.payments
      repaired.cashUps += step.cashUps
      done = step.done
    }

    // No row is read for it: the last one may be unreadable.
    const ids = await storage.payments.idRange(merchantId, {})
    const at = await clock.asked()
    const times = {
      now: instant(at),
      soon: instant(after(at, soon)),
      latest: instant(after(at, longestWait)),
    }
    for (let lastId = ids?.last ?? 0; lastId > 0; lastId -= STEP) {
      const range = { firstId: Math.max(1, lastId - STEP + 1), lastId }
      repaired.deliveries += await storage.deliveries.repairDates(merchantId, range, times)
    }
    if (await storage.endpoints.repairDates(merchantId, times)) repaired.endpoints = 1
    if (repaired.deliveries + repaired.endpoints > 0) wakeWorker()
    return repaired
  }
}
