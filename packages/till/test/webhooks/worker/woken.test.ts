import { memoryStorage } from '@tillkit/storage/memory'
import { beforeEach, expect, test, vi } from 'vitest'
import { receiver } from '../receiver.ts'
import { tillScene } from '../till-scene.ts'

/** So that a worker finds nothing by itself: time passes for nobody who waits. */
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  return () => vi.useRealTimers()
})

/** A till with a payment that was completed while no worker ran, and delivered. */
async function delivered(answer: Parameters<typeof receiver>[0] = 200) {
  const hook = await receiver(answer)
  const storage = memoryStorage()
  const { claim } = storage.deliveries
  let claims = 0
  storage.deliveries.claim = async request => {
    const claimed = await claim(request)
    claims += 1
    return claimed
  }
  const made = await tillScene(hook.url, { storage })
  await made.paid()
  await made.till.webhooks.deliverDue()
  /** A running worker that has found nothing and waits. */
  const waiting = async () => {
    const before = claims
    made.till.webhooks.start()
    await vi.waitUntil(() => claims > before, { timeout: 120_000 })
    await new Promise(resolve => setImmediate(resolve))
  }
  return { ...made, hook, waiting }
}

test('a worker that waits looks at once when a strict payment is refused as it starts', async () => {
  const { till, hook, waiting } = await delivered()
  await waiting()
  const refused = { scanCode: 'CODE', totalAmount: 1, requiredAmount: 2, strict: true }
  expect(await till.payments.start(refused)).toMatchObject({ status: 'error', failure: 'amount_too_low' })
  await hook.got(2)
})

test('and when a payment is sent again', async () => {
  const { till, hook, waiting } = await delivered()
  await waiting()
  await till.webhooks.redeliver({ merchantId: 'shop', paymentId: 1 })
  await hook.got(2)
})

test('and when all since a time are sent again', async () => {
  const { till, hook, waiting, at } = await delivered()
  await waiting()
  expect(await till.webhooks.redeliverSince('shop', { since: at(0) })).toBe(1)
  await hook.got(2)
})

test('and when a test wakes an endpoint for which others rest', async () => {
  const { till, hook, waiting, storage, paid, at, delivery } = await delivered((response, _, count) =>
    response.writeHead(count === 1 ? 500 : 200).end(),
  )
  expect(await storage.endpoints.pause('shop', at(0), at(0))).toBe(true)
  await paid()
  await waiting()
  expect(await delivery(2)).toMatchObject({ state: 'pending', nextAttemptAt: null })
  expect(await till.webhooks.sendTest('shop')).toMatchObject({ status: 200 })
  await hook.got(3)
})

test('and when dates are put right that lay far ahead', async () => {
  const { till, hook, waiting, paid, pass } = await delivered()
  pass(7 * 86_400)
  await paid()
  pass(-7 * 86_400)
  await waiting()
  expect(await till.repairDates('shop')).toMatchObject({ deliveries: 1 })
  await hook.got(2)
})
