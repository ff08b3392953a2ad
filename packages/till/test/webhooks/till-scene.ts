import { memoryStorage } from '@tillkit/storage/memory'
import { createTill, type Till, type TillOptions } from '@tillkit/till'
import { onTestFinished } from 'vitest'

/** A whole till whose clock a test moves, with a merchant whose webhooks go to `url`. */
export async function tillScene(url: string | null, options: Partial<TillOptions> = {}) {
  const storage = options.storage ?? memoryStorage()
  let time = Date.parse('2026-11-20T09:30:00.000Z')
  const till: Till = createTill({
    clock: () => new Date(time),
    logger: false,
    ...options,
    storage,
    webhooks: { allowHttp: true, allowPrivateAddresses: true, timeoutSeconds: 5, ...options.webhooks },
  })
  onTestFinished(() => till.close())
  await till.merchants.create({ id: 'shop', name: 'Corner Coffee', webhookUrl: url })
  await till.scanCodes.create('shop', { code: 'CODE' })
  return {
    till,
    storage,
    at: (seconds: number) => new Date(Date.parse('2026-11-20T09:30:00.000Z') + seconds * 1000).toISOString(),
    pass(seconds: number) {
      time += seconds * 1000
    },
    async paid() {
      const payment = await till.payments.start({ scanCode: 'CODE', totalAmount: 1250 })
      return till.payments.complete(payment)
    },
    async delivery(paymentId = 1) {
      return (await till.webhooks.list('shop')).items.find(delivery => delivery.paymentId === paymentId)
    },
  }
}
