import { describe, expect, test } from 'vitest'
import { receiver } from '../receiver.ts'
import { scene } from '../scene.ts'

const DELAYS = [5, 300, 1800, 7200, 18_000, 36_000, 36_000]

describe('retries', () => {
  test('follow the schedule; after the last one the delivery is exhausted', async () => {
    const { merchant, outcome, worker, delivery, pass, clock } = scene()
    const hook = await receiver(500)
    await merchant('m1', hook.url)
    await outcome('m1')
    const it = worker()
    for (const [index, delay] of DELAYS.entries()) {
      expect(await it.deliverDue()).toEqual({ delivered: 0, failed: 1 })
      expect(await delivery('m1')).toMatchObject({
        state: 'pending',
        attempts: index + 1,
        nextAttemptAt: new Date(clock().getTime() + delay * 1000).toISOString(),
      })
      pass(delay - 1)
      expect(await it.deliverDue()).toEqual({ delivered: 0, failed: 0 })
      pass(1)
    }
    expect(await it.deliverDue()).toEqual({ delivered: 0, failed: 1 })
    expect(await delivery('m1')).toMatchObject({ state: 'exhausted', attempts: 8, nextAttemptAt: null })
    pass(10 * 86_400)
    expect(await it.deliverDue()).toEqual({ delivered: 0, failed: 0 })
    expect(hook.received).toHaveLength(8)
  })

  test('are counted from the end of the attempt before, not from its beginning', async () => {
    const { merchant, outcome, worker, delivery, pass, clock } = scene()
    const hook = await receiver(response => {
      pass(3)
      response.writeHead(500).end()
    })
    await merchant('m1', hook.url)
    await outcome('m1')
    await worker({ retryDelays: [60] }).deliverDue()
    expect((await delivery('m1'))?.nextAttemptAt).toBe(new Date(clock().getTime() + 60_000).toISOString())
  })

  test('end with the first success', async () => {
    const { merchant, outcome, worker, delivery, pass } = scene()
    const hook = await receiver((response, _, count) => response.writeHead(count < 3 ? 500 : 200).end())
    await merchant('m1', hook.url)
    await outcome('m1')
    const it = worker({ retryDelays: [1, 2, 3] })
    const counts = []
    for (let attempt = 0; attempt < 5; attempt++) {
      counts.push(await it.deliverDue())
      pass(100)
    }
    expect(counts.map(({ delivered, failed }) => [delivered, failed])).toEqual([
      [0, 1],
      [0, 1],
      [1, 0],
      [0, 0],
      [0, 0],
    ])
    expect(await delivery('m1')).toMatchObject({
      state: 'delivered',
      attempts: 3,
      lastStatus: 200,
      lastError: null,
    })
  })

  test('that become due at once are not part of the same deliverDue', async () => {
    const { merchant, outcome, worker } = scene()
    const hook = await receiver(500)
    await merchant('m1', hook.url)
    await outcome('m1')
    const it = worker({ retryDelays: [0, 0] })
    expect(await it.deliverDue()).toEqual({ delivered: 0, failed: 1 })
    expect(await it.deliverDue()).toEqual({ delivered: 0, failed: 1 })
    expect(await it.deliverDue()).toEqual({ delivered: 0, failed: 1 })
    expect(await it.deliverDue()).toEqual({ delivered: 0, failed: 0 })
  })

  test('carry the payment, the URL and the key as they are then', async () => {
    const { storage, merchant, outcome, worker, pass, clock, keys } = scene()
    const before = await receiver(500)
    const after = await receiver()
    await merchant('m1', before.url)
    await outcome('m1')
    const it = worker()
    await it.deliverDue()
    await storage.merchants.update('m1', { webhookUrl: after.url }, clock().toISOString())
    await storage.merchants.setWebhookKey('m1', keys.seal('m1', 'whk_new'))
    await storage.payments.settle('m1', 'SETTLED-1', [1])
    pass(5)
    await it.deliverDue()
    expect(before.received).toHaveLength(1)
    expect(after.received[0]?.headers.authorization).toMatch(/^Service signature=[0-9a-f]{64}$/)
    expect(after.received[0]?.body).toContain('SETTLED-1')
  })

  test('sent again by the host, a delivery starts from the first attempt', async () => {
    const { storage, merchant, outcome, worker, delivery, clock } = scene()
    const hook = await receiver((response, _, count) => response.writeHead(count === 1 ? 410 : 500).end())
    await merchant('m1', hook.url)
    await outcome('m1')
    const it = worker()
    await it.deliverDue()
    expect(await delivery('m1')).toMatchObject({ state: 'exhausted' })
    await storage.deliveries.requeue({ merchantId: 'm1', paymentId: 1 }, clock().toISOString())
    expect(await it.deliverDue()).toEqual({ delivered: 0, failed: 1 })
    expect(await delivery('m1')).toMatchObject({ state: 'pending', attempts: 1 })
    expect(hook.received.map(({ headers }) => headers['webhook-id'])).toEqual(['m1:1', 'm1:1'])
  })
})

test('a key that does not open is a failed attempt, nothing is sent unsigned, and the log says why', async () => {
  const { storage, merchant, outcome, worker, delivery, lines, pass } = scene()
  const hook = await receiver()
  await merchant('m1', hook.url)
  await storage.merchants.setWebhookKey('m1', 'sealed.k0.AAAA')
  await outcome('m1')
  const it = worker({ retryDelays: [60] })
  expect(await it.deliverDue()).toEqual({ delivered: 0, failed: 1 })
  expect(await delivery('m1')).toMatchObject({
    state: 'pending',
    lastError: 'webhook key is sealed under a secret that is not among the secrets',
  })
  expect(hook.connections()).toBe(0)
  expect(lines[0]).toMatchObject({
    level: 'error',
    fields: { error: 'webhook key is sealed under secret k0, which is not among the secrets' },
    message: 'webhook not sent',
  })
  pass(60)
  await it.deliverDue()
  expect(await delivery('m1')).toMatchObject({ state: 'exhausted' })
  expect(lines[1]).toMatchObject({ level: 'error', message: 'webhook set aside' })
})
