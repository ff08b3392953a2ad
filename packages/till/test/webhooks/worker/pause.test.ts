import type { ClaimedDelivery } from '@tillkit/storage'
import type { WebhookEvents } from '@tillkit/till'
import { describe, expect, test } from 'vitest'
import { createPause } from '../../../src/webhooks/worker/pause.ts'
import { type Received, receiver } from '../receiver.ts'
import { scene } from '../scene.ts'
import { tillScene } from '../till-scene.ts'

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

describe('a failure after days without a payment', () => {
  /** A till whose endpoint answered 410 to one payment and was sent nothing for a week, and what it answers from then on. */
  async function afterAWeek(options: { retryDelays?: number[] } = {}) {
    const answer = { status: 410 }
    const hook = await receiver((response, _: Received) =>
      response.writeHead(answer.status, answer.status === 429 ? { 'Retry-After': '1' } : {}).end(),
    )
    const scene = await tillScene(hook.url, { webhooks: options })
    await scene.paid()
    await scene.till.webhooks.deliverDue()
    scene.pass(7 * DAY)
    await scene.paid()
    const paused = async () => (await scene.till.webhooks.paused()).length
    return { ...scene, answer, paused }
  }

  test.each([429, 500, 503])('%i pauses nothing, and the next attempt is made', async status => {
    const { till, answer, pass, paused } = await afterAWeek()
    answer.status = status
    expect(await till.webhooks.deliverDue()).toEqual({ delivered: 0, failed: 1 })
    expect(await paused()).toBe(0)
    answer.status = 200
    pass(10)
    expect(await till.webhooks.deliverDue()).toEqual({ delivered: 1, failed: 0 })
    expect((await till.webhooks.endpoint('shop')).failingSince).toBe(null)
  })

  test('pauses it once the delivery has failed for an hour, however soon its first attempts were asked for', async () => {
    const { till, answer, pass, paused } = await afterAWeek()
    answer.status = 429
    for (let attempt = 1; attempt <= 4; attempt++) {
      expect(await till.webhooks.deliverDue()).toEqual({ delivered: 0, failed: 1 })
      pass(1)
    }
    expect(await paused()).toBe(0)
    pass(3 * 3600)
    expect(await till.webhooks.deliverDue()).toEqual({ delivered: 0, failed: 1 })
    expect(await paused()).toBe(1)
  })

  test('pauses it to the second, and counts what was before it was sent again', async () => {
    const { till, answer, pass, paused } = await afterAWeek()
    answer.status = 500
    for (const [seconds, count] of [
      [0, 0],
      [3599, 0],
      [1, 1],
    ] as const) {
      pass(seconds)
      await till.webhooks.redeliver({ merchantId: 'shop', paymentId: 2 })
      expect(await till.webhooks.deliverDue()).toEqual({ delivered: 0, failed: 1 })
      expect(await paused()).toBe(count)
    }
  })

  test('pauses nothing where it is not the endpoint that failed', async () => {
    const { till, storage, paused, delivery } = await afterAWeek()
    await storage.merchants.setWebhookKey('shop', 'in no known form')
    expect(await till.webhooks.deliverDue()).toEqual({ delivered: 0, failed: 1 })
    expect(await delivery(2)).toMatchObject({ state: 'exhausted', lastStatus: null })
    expect(await paused()).toBe(0)
  })

  test.each([
    ['is refused for good', {}],
    ['was the last attempt', { retryDelays: [] }],
  ])('pauses it where the delivery is given up, since it %s', async (_, options) => {
    const { till, paused } = await afterAWeek(options)
    expect(await till.webhooks.deliverDue()).toEqual({ delivered: 0, failed: 1 })
    expect(await paused()).toBe(1)
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

describe('an endpoint that has failed for days', () => {
  /** What came of a delivery that is refused for good, of an endpoint that has only failed for so many days. */
  async function after(days: number) {
    const { merchant, outcome, worker, pass, lines, delivery } = scene()
    const hook = await receiver(410)
    await merchant('m1', hook.url)
    let asked = 0
    const endpoints = {
      async pause() {
        asked++
        throw new Error('the database is away')
      },
    }
    const it = worker({}, { endpoints })
    await outcome('m1')
    await it.deliverDue()
    pass(days * 86_400)
    await outcome('m1')
    expect(await it.deliverDue()).toEqual({ delivered: 0, failed: 1 })
    expect(await delivery('m1', 2)).toMatchObject({ state: 'exhausted' })
    return { asked, said: lines.filter(({ level }) => level === 'error') }
  }

  test('and cannot be paused: that is logged, and the result is written', async () => {
    const { asked, said } = await after(6)
    expect(asked).toBe(1)
    expect(said).toEqual([
      {
        level: 'error',
        fields: { merchantId: 'm1', error: 'the database is away' },
        message: 'webhook endpoint not paused',
      },
    ])
  })

  test('nor where the clock says no time: that is logged, and the attempt is as good as it was', async () => {
    const { storage, events, logger, lines } = scene()
    const now = () => Promise.reject(new Error('clock says no time'))
    const { endpoints, deliveries } = storage
    const pauseIfFailingForLong = createPause({ endpoints, deliveries, events, now, logger })
    const delivery = { merchantId: 'm1', paymentId: 1, failingSince: '2026-11-10T09:30:00.000Z' }
    await pauseIfFailingForLong(delivery as ClaimedDelivery, 'exhausted')
    expect(lines).toEqual([
      {
        level: 'error',
        fields: { merchantId: 'm1', error: 'clock says no time' },
        message: 'webhook endpoint not paused',
      },
    ])
  })

  test('but not for long enough: the storage is not asked to pause it', async () => {
    expect(await after(4)).toEqual({ asked: 0, said: [] })
  })
})
