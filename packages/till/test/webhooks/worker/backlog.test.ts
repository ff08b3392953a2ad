import { memoryStorage } from '@tillkit/storage/memory'
import { expect, test, vi } from 'vitest'
import { receiver } from '../receiver.ts'
import { tillScene } from '../till-scene.ts'

const MERCHANTS = 600

// Where what is claimed takes more than a quarter of a second, more is: a busy machine may come to that now and then.
test('a backlog is claimed about as fast as it is delivered, and not to be put off again and again', {
  retry: 4,
}, async () => {
  const hook = await receiver()
  const storage = memoryStorage()
  const { claim } = storage.deliveries
  let claimed = 0
  storage.deliveries.claim = async request => {
    const some = await claim(request)
    claimed += some.length
    return some
  }
  const { till, pass } = await tillScene(null, { storage, webhooks: { concurrency: 8 } })
  for (let n = 0; n < MERCHANTS; n++) {
    await till.merchants.create({ id: `m${n}`, name: 'Shop', webhookUrl: hook.url })
    await till.scanCodes.create(`m${n}`, { code: `CODE-${n}` })
    const payment = await till.payments.start({ scanCode: `CODE-${n}`, totalAmount: 1250 })
    await till.payments.complete(payment)
  }
  till.webhooks.start()
  // Outcomes of a merchant without a webhook URL: each tells the worker to look.
  let isOver = false
  const others = (async () => {
    while (!isOver) {
      await till.payments.complete(await till.payments.start({ scanCode: 'CODE', totalAmount: 1250 }))
      await new Promise(resolve => setTimeout(resolve, 1))
    }
  })()
  await vi.waitUntil(
    () => {
      pass(0.1)
      return hook.received.length >= MERCHANTS
    },
    { timeout: 60_000, interval: 100 },
  )
  isOver = true
  await others
  await till.webhooks.stop()
  expect(hook.received).toHaveLength(MERCHANTS)
  expect(claimed).toBeLessThan(1.5 * MERCHANTS)
})
