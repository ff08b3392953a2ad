import { deliveryKey, instant, redeliverSince, TillError, validate } from '@tillkit/domain'
import type { Context } from '../context.ts'
import { assertMerchantId, unknownMerchant } from '../merchants/known-merchant.ts'
import { tell } from '../tell.ts'
import type { Webhooks } from './calls.ts'

/** How many payments are looked at in one step of the storage: few enough that nobody waits for it. */
const RANGE = 500

export function redeliver({
  storage,
  clock,
  wakeWorker,
}: Context): Pick<Webhooks, 'redeliver' | 'redeliverSince'> {
  const assertWebhookUrl = async (merchantId: string) => {
    const merchant = await storage.merchants.get(merchantId)
    if (merchant === null) throw unknownMerchant(merchantId)
    if (merchant.webhookUrl === null) {
      throw new TillError('conflict', `merchant ${merchantId} has no webhookUrl`)
    }
  }

  return {
    async redeliver(input) {
      const { merchantId, paymentId } = validate(deliveryKey, input, 'a delivery')
      const payment = await storage.payments.get({ merchantId, id: paymentId })
      if (payment === null) {
        throw new TillError('not_found', `merchant ${merchantId} has no payment ${paymentId}`)
      }
      if (payment.status === 'pending') {
        throw new TillError('conflict', `payment ${paymentId} is pending: there is no outcome to deliver yet`)
      }
      await assertWebhookUrl(merchantId)
      const delivery = await storage.deliveries.requeue({ merchantId, paymentId }, instant(await clock.now()))
      wakeWorker()
      return delivery
    },

    async redeliverSince(merchantId, options) {
      assertMerchantId(merchantId)
      const { since, state, onProgress } = validate(redeliverSince, options, 'the options of redeliverSince')
      await assertWebhookUrl(merchantId)
      const at = instant(await clock.now())
      const { items } = await storage.deliveries.list(merchantId, undefined, { skip: 0, limit: 1 })
      let count = 0
      const total = items[0]?.paymentId ?? 0
      for (let lastId = total; lastId > 0; lastId -= RANGE) {
        const range = { firstId: Math.max(1, lastId - RANGE + 1), lastId, since, state }
        count += await storage.deliveries.requeueRange(merchantId, range, at)
        tell(onProgress, { done: total - range.firstId + 1, total, redelivered: count })
      }
      if (count > 0) wakeWorker()
      return count
    },
  }
}
