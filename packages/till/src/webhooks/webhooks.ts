import { deliveryKey, deliveryRange, sliceOf, TillError, validate } from '@tillkit/domain'
import type { Context } from '../context.ts'
import { assertMerchant, assertMerchantId } from '../known-merchant.ts'
import type { Webhooks } from '../till.ts'
import type { WebhookWorker } from './worker.ts'

export function webhooks({ storage, now, wakeWorker }: Context, worker: WebhookWorker): Webhooks {
  return {
    start: () => worker.start(),
    stop: () => worker.stop(),
    deliverDue: () => worker.deliverDue(),

    async list(merchantId, query) {
      assertMerchantId(merchantId)
      const { state, ...page } = validate(deliveryRange, query ?? {}, 'a query')
      const found = await storage.deliveries.list(merchantId, state, sliceOf(page))
      if (found.total === 0) await assertMerchant(storage, merchantId)
      return found
    },

    async redeliver(input) {
      const { merchantId, paymentId } = validate(deliveryKey, input, 'a delivery')
      const payment = await storage.payments.get({ merchantId, id: paymentId })
      if (payment === null) {
        throw new TillError('not_found', `merchant ${merchantId} has no payment ${paymentId}`)
      }
      if (payment.status === 'pending') {
        throw new TillError('conflict', `payment ${paymentId} is pending: there is no outcome to deliver yet`)
      }
      if ((await storage.merchants.get(merchantId))?.webhookUrl == null) {
        throw new TillError('conflict', `merchant ${merchantId} has no webhookUrl`)
      }
      const delivery = await storage.deliveries.requeue({ merchantId, paymentId }, now())
      wakeWorker()
      return delivery
    },
  }
}
