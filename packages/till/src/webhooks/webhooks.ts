import {
  type Delivery,
  deliveryKey,
  deliveryRange,
  instant,
  type ListedDelivery,
  merchantRange,
  purgeDeliveries,
  sliceOf,
  validate,
} from '@tillkit/domain'
import type { Context } from '../context.ts'
import { assertMerchant, assertMerchantId, unknownMerchant } from '../merchants/known-merchant.ts'
import type { Logger, WebhookOptions } from '../options.ts'
import type { Webhooks } from './calls.ts'
import type { Events } from './events.ts'
import { redeliver } from './redeliver.ts'
import { runOptions } from './run-options.ts'
import { sendTest } from './send-test.ts'
import type { WebhookWorker } from './worker/worker.ts'

/** How many deliveries are removed in one step of the storage: few enough that nobody waits for it. */
const PURGE_BATCH = 500

export function webhooks(
  context: Context,
  parts: { worker: WebhookWorker; events: Events; options: WebhookOptions; logger: Logger },
): Webhooks {
  const { deliveries, endpoints } = context.storage
  const { worker, events, options, logger } = parts

  const withHistory = async (merchantId: string, items: Delivery[]): Promise<ListedDelivery[]> => {
    const tried = items.filter(({ lastAttemptAt }) => lastAttemptAt !== null)
    const ids = tried.map(({ paymentId }) => paymentId)
    const attempts = ids.length === 0 ? [] : await deliveries.attempts(merchantId, ids)
    const byPayment = Map.groupBy(attempts, ({ paymentId }) => paymentId)
    return items.map(delivery => {
      const history = byPayment.get(delivery.paymentId) ?? []
      return { ...delivery, history: history.map(({ paymentId: _, ...attempt }) => attempt) }
    })
  }

  return {
    start: () => worker.start(),
    stop: () => worker.stop(),
    run: async options =>
      worker.run(validate(runOptions, options ?? {}, 'the options of till.webhooks.run').signal),
    deliverDue: () => worker.deliverDue(),
    on: events.on,
    sendTest: sendTest(context, options, logger),
    ...redeliver(context),

    async get(key) {
      const { merchantId, paymentId } = validate(deliveryKey, key, 'a delivery')
      const found = await deliveries.get({ merchantId, paymentId })
      return found && ((await withHistory(merchantId, [found]))[0] ?? null)
    },

    async endpoint(merchantId) {
      assertMerchantId(merchantId)
      const endpoint = await endpoints.get(merchantId)
      if (endpoint === null) throw unknownMerchant(merchantId)
      const { failingSince, pausedAt } = endpoint
      return { failingSince, pausedAt }
    },

    async list(merchantId, query) {
      assertMerchantId(merchantId)
      const { state, ...page } = validate(deliveryRange, query ?? {}, 'a query')
      const { items, total } = await deliveries.list(merchantId, state, sliceOf(page))
      if (total === 0) await assertMerchant(context.storage, merchantId)
      return { items: await withHistory(merchantId, items), total }
    },

    failing: async range => endpoints.failing(validate(merchantRange, range ?? {}, 'a range of merchants')),

    paused: async range => endpoints.paused(validate(merchantRange, range ?? {}, 'a range of merchants')),

    counts: async () => deliveries.counts(instant(await context.clock.asked())),

    async purge(options) {
      const { olderThan } = validate(purgeDeliveries, options, 'the options of purge')
      let purged = 0
      while (true) {
        const count = await deliveries.purge(olderThan, PURGE_BATCH)
        // Fewer than were asked for may be what somebody else, who purges as well, has left of them.
        if (count === 0) return purged
        purged += count
      }
    },
  }
}
