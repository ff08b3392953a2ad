import { memoryStorage } from '@tillkit/storage/memory'
import type { WebhookEvents } from '@tillkit/till'
import { describe, expect, test } from 'vitest'
import { receiver } from './receiver.ts'
import { tillScene } from './till-scene.ts'

type Told = [keyof WebhookEvents, number, number, number | null]

describe('a host is told', () => {
  test('of what was delivered, failed and exhausted', async () => {
    const hook = await receiver((response, { headers }) =>
      response.writeHead(headers['webhook-id'] === 'shop:1' ? 200 : 500).end(),
    )
    const { till, paid, pass, at } = await tillScene(hook.url, { webhooks: { retryDelays: [60] } })
    const told: Told[] = []
    for (const name of ['delivered', 'attemptFailed', 'exhausted'] as const) {
      till.webhooks.on(name, ({ paymentId, number, status }) => told.push([name, paymentId, number, status]))
    }
    await paid()
    await till.webhooks.deliverDue()
    await paid()
    await till.webhooks.deliverDue()
    pass(100)
    await till.webhooks.deliverDue()
    expect(told).toEqual([
      ['delivered', 1, 1, 200],
      ['attemptFailed', 2, 1, 500],
      ['attemptFailed', 2, 2, 500],
      ['exhausted', 2, 2, 500],
    ])
    const last: WebhookEvents['delivered'][] = []
    till.webhooks.on('delivered', event => last.push(event))
    await till.webhooks.redeliver({ merchantId: 'shop', paymentId: 1 })
    await till.webhooks.deliverDue()
    expect(last).toEqual([
      {
        ...{ merchantId: 'shop', paymentId: 1, number: 1, nextAttemptAt: null, at: at(100), status: 200 },
        ...{ error: null, answer: null, milliseconds: expect.any(Number) },
      },
    ])
  })

  test('after it was written down', async () => {
    const hook = await receiver()
    const { till, paid, delivery } = await tillScene(hook.url)
    const seen = Promise.withResolvers<unknown>()
    till.webhooks.on('delivered', async () => seen.resolve((await delivery())?.state))
    await paid()
    await till.webhooks.deliverDue()
    expect(await seen.promise).toBe('delivered')
  })

  test('until it no longer wants to be; twice for a listener that subscribed twice', async () => {
    const hook = await receiver()
    const { till, paid } = await tillScene(hook.url)
    let calls = 0
    const listener = () => calls++
    const [first, second] = [till.webhooks.on('delivered', listener), till.webhooks.on('delivered', listener)]
    const deliver = async () => {
      await paid()
      await till.webhooks.deliverDue()
      return calls
    }
    expect(await deliver()).toBe(2)
    first()
    first()
    expect(await deliver()).toBe(3)
    second()
    expect(await deliver()).toBe(3)
  })

  test('and harms nothing when it throws', async () => {
    const hook = await receiver()
    const lines: [object, string][] = []
    const ignore = () => {}
    const logger = {
      ...{ debug: ignore, info: ignore, warn: ignore },
      error: (fields: object, message: string) => lines.push([fields, message]),
    }
    const { till, paid, delivery } = await tillScene(hook.url, { logger })
    let heard = 0
    till.webhooks.on('delivered', () => {
      throw new Error('listener is broken')
    })
    till.webhooks.on('delivered', () => Promise.reject('and so is this one'))
    till.webhooks.on('delivered', event => {
      event.paymentId = 99
    })
    till.webhooks.on('delivered', ({ paymentId }) => {
      heard = paymentId
    })
    await paid()
    expect(await till.webhooks.deliverDue()).toEqual({ delivered: 1, failed: 0 })
    await new Promise(resolve => setImmediate(resolve))
    expect(heard).toBe(1)
    expect((await delivery())?.state).toBe('delivered')
    expect(lines).toEqual([
      [{ event: 'delivered', error: 'listener is broken' }, 'webhook listener failed'],
      [{ event: 'delivered', error: 'and so is this one' }, 'webhook listener failed'],
    ])
  })

  test('of nothing that another worker had taken over', async () => {
    const storage = memoryStorage()
    const record = storage.deliveries.record
    storage.deliveries.record = async result => (await record({ ...result, fence: -1 })) && false
    const { till, paid } = await tillScene((await receiver()).url, { storage })
    let heard = 0
    for (const name of ['delivered', 'attemptFailed', 'exhausted'] as const)
      till.webhooks.on(name, () => heard++)
    await paid()
    await till.webhooks.deliverDue()
    expect(heard).toBe(0)
  })
})
