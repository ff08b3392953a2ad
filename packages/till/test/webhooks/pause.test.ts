import type { WebhookEvents } from '@tillkit/till'
import { describe, expect, test } from 'vitest'
import { type Received, receiver } from './receiver.ts'
import { tillScene } from './till-scene.ts'

const DAY = 86_400

/** A till whose endpoint has only failed for five days and was paused; it answers what `answer.status` says from then on. */
async function pausedScene() {
  const answer = { status: 500 }
  const hook = await receiver((response, _: Received) => response.writeHead(answer.status).end())
  const scene = await tillScene(hook.url)
  const { till, paid, pass } = scene
  const events: WebhookEvents['paused'][] = []
  till.webhooks.on('paused', event => events.push(event))
  for (let day = 0; day <= 5; day++) {
    await paid()
    await till.webhooks.deliverDue()
    pass(DAY)
  }
  return { ...scene, hook, answer, events }
}

describe('an endpoint that has only failed for five days', () => {
  test('is paused and the host is told, once', async () => {
    const { till, events, at } = await pausedScene()
    const paused = { merchantId: 'shop', failingSince: at(0), pausedAt: at(5 * DAY) }
    expect(events).toEqual([paused])
    expect(await till.webhooks.paused()).toEqual([paused])
    expect((await till.webhooks.counts()).pausedEndpoints).toBe(1)
  })

  test('is sent nothing more, and nothing is exhausted for it', async () => {
    const { till, hook, paid, pass } = await pausedScene()
    const before = hook.received.length
    const exhausted = (await till.webhooks.list('shop', { state: 'exhausted' })).total
    for (let day = 0; day < 10; day++) {
      await paid()
      expect(await till.webhooks.deliverDue()).toEqual({ delivered: 0, failed: 0 })
      pass(DAY)
    }
    expect(hook.received).toHaveLength(before)
    expect((await till.webhooks.list('shop', { state: 'exhausted' })).total).toBe(exhausted)
    const { items } = await till.webhooks.list('shop', { state: 'pending' })
    expect(new Set(items.map(({ nextAttemptAt }) => nextAttemptAt))).toEqual(new Set([null]))
  })

  test('is woken by a successful redeliver, and what rested is delivered', async () => {
    const { till, answer, paid, hook } = await pausedScene()
    await paid()
    await till.webhooks.deliverDue()
    answer.status = 204
    const before = hook.received.length
    await till.webhooks.redeliver({ merchantId: 'shop', paymentId: 1 })
    expect(await till.webhooks.deliverDue()).toEqual({ delivered: 1, failed: 0 })
    expect(hook.received.slice(before).map(({ headers }) => headers['webhook-id'])).toEqual(['shop:1'])
    expect(await till.webhooks.paused()).toEqual([])
    const { failed } = await till.webhooks.deliverDue()
    expect(failed).toBe(0)
    expect(await till.webhooks.counts()).toMatchObject({ pending: 0, due: 0 })
  })

  test('is paused again when the redelivered one fails', async () => {
    const { till, events, at, pass } = await pausedScene()
    await till.webhooks.deliverDue()
    await till.webhooks.redeliver({ merchantId: 'shop', paymentId: 1 })
    expect(await till.webhooks.deliverDue()).toEqual({ delivered: 0, failed: 1 })
    expect(events.map(({ pausedAt }) => pausedAt)).toEqual([at(5 * DAY), at(6 * DAY)])
    pass(DAY)
    expect(await till.webhooks.deliverDue()).toEqual({ delivered: 0, failed: 0 })
  })

  test('is woken by a successful sendTest, not by one that fails', async () => {
    const { till, answer } = await pausedScene()
    await till.webhooks.deliverDue()
    expect(await till.webhooks.sendTest('shop')).toMatchObject({ status: 500 })
    expect(await till.webhooks.paused()).toHaveLength(1)
    answer.status = 200
    expect(await till.webhooks.sendTest('shop')).toMatchObject({ status: 200, error: null })
    expect(await till.webhooks.paused()).toEqual([])
    const { delivered, failed } = await till.webhooks.deliverDue()
    expect([delivered > 0, failed]).toEqual([true, 0])
  })

  test('is woken by another URL, not by the same again', async () => {
    const { till, hook } = await pausedScene()
    await till.webhooks.deliverDue()
    await till.merchants.update('shop', { webhookUrl: hook.url, name: 'Corner' })
    expect(await till.webhooks.paused()).toHaveLength(1)
    const other = await receiver()
    await till.merchants.update('shop', { webhookUrl: other.url })
    expect(await till.webhooks.paused()).toEqual([])
    const { delivered } = await till.webhooks.deliverDue()
    expect(other.received).toHaveLength(delivered)
    expect(delivered > 0).toBe(true)
  })
})

test('one success in five days is enough not to be paused', async () => {
  const hook = await receiver((response, _, count) => response.writeHead(count === 20 ? 200 : 500).end())
  const { till, paid, pass } = await tillScene(hook.url)
  for (let day = 0; day < 8; day++) {
    await paid()
    await till.webhooks.deliverDue()
    pass(DAY / 2)
    await till.webhooks.deliverDue()
    pass(DAY / 2)
  }
  expect(hook.received.length > 20).toBe(true)
  expect(await till.webhooks.paused()).toEqual([])
})
