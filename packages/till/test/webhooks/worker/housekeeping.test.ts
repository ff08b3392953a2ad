import { memoryStorage } from '@tillkit/storage/memory'
import { describe, expect, test } from 'vitest'
import { refusal } from '../../till-of.ts'
import { receiver } from '../receiver.ts'
import { tillScene } from '../till-scene.ts'

const DAY = 86_400

describe('redeliverSince', () => {
  test('sends again what was written since a time, of a state or of any', async () => {
    const hook = await receiver((response, { headers }) =>
      response.writeHead(headers['webhook-id'] === 'shop:3' ? 410 : 200).end(),
    )
    const { till, paid, pass, at } = await tillScene(hook.url)
    for (let payment = 0; payment < 5; payment++) {
      await paid()
      pass(60)
    }
    await till.webhooks.deliverDue()
    const again = async (options: Parameters<typeof till.webhooks.redeliverSince>[1]) => {
      const before = hook.received.length
      const count = await till.webhooks.redeliverSince('shop', options)
      await till.webhooks.deliverDue()
      const ids = hook.received.slice(before).map(({ headers }) => headers['webhook-id'])
      expect(ids).toHaveLength(count)
      return ids.sort()
    }
    expect(await again({ since: at(120), state: 'exhausted' })).toEqual(['shop:3'])
    expect(await again({ since: new Date(at(180)) })).toEqual(['shop:4', 'shop:5'])
    expect(await again({ since: '2026-11-20T10:31:00+01:00', state: 'delivered' })).toEqual([
      'shop:2',
      'shop:4',
      'shop:5',
    ])
    expect(await again({ since: at(1000) })).toEqual([])
  })

  test('reaches back over many steps', async () => {
    const hook = await receiver()
    const { till, paid, at } = await tillScene(hook.url)
    for (let payment = 0; payment < 1203; payment++) await paid()
    await till.webhooks.deliverDue()
    expect(await till.webhooks.redeliverSince('shop', { since: at(0) })).toBe(1203)
    expect((await till.webhooks.counts()).due).toBe(1203)
  })

  test('is refused for what it cannot do', async () => {
    const { till } = await tillScene(null)
    const since = '2026-11-20T09:30:00Z'
    expect(await refusal(till.webhooks.redeliverSince('shop', { since }))).toMatch(
      /^conflict: .*no webhookUrl/,
    )
    expect(await refusal(till.webhooks.redeliverSince('nobody', { since }))).toMatch(/^not_found: /)
    for (const wrong of ['yesterday', '2026-11-20', '', 5, new Date('x'), undefined]) {
      expect(await refusal(till.webhooks.redeliverSince('shop', { since: wrong as never }))).toMatch(
        /^invalid_input: since must be a Date or an ISO 8601 date-time/,
      )
    }
    expect(await refusal(till.webhooks.redeliverSince('shop', { since, state: 'lost' as never }))).toMatch(
      /state must be one of/,
    )
  })
})

describe('purge', () => {
  test('removes what was delivered before a time, with its attempts, and nothing else', async () => {
    const hook = await receiver((response, { headers }) =>
      response.writeHead(headers['webhook-id'] === 'shop:1' ? 410 : 200).end(),
    )
    const { till, paid, pass, at } = await tillScene(hook.url)
    for (let day = 0; day < 4; day++) {
      for (let payment = 0; payment < 2; payment++) await paid()
      await till.webhooks.deliverDue()
      pass(DAY)
    }
    await paid()
    expect(await till.webhooks.purge({ olderThan: at(-1) })).toBe(0)
    expect(await till.webhooks.purge({ olderThan: new Date(at(2 * DAY)) })).toBe(3)
    const { items } = await till.webhooks.list('shop')
    expect(items.map(({ paymentId, state }) => [paymentId, state])).toEqual([
      ...[[9, 'pending'], ...[8, 7, 6, 5].map(id => [id, 'delivered'])],
      [1, 'exhausted'],
    ])
    expect((await till.payments.list('shop')).total).toBe(9)
    await till.webhooks.redeliver({ merchantId: 'shop', paymentId: 2 })
    expect(await till.webhooks.deliverDue()).toEqual({ delivered: 2, failed: 0 })
  })

  test('goes on in batches to the end', async () => {
    const hook = await receiver()
    const { till, paid, at } = await tillScene(hook.url)
    for (let payment = 0; payment < 1203; payment++) await paid()
    await till.webhooks.deliverDue()
    expect(await till.webhooks.purge({ olderThan: at(1) })).toBe(1203)
    expect((await till.webhooks.list('shop')).total).toBe(0)
  })

  test('goes on after a batch that somebody else took a part of', async () => {
    const hook = await receiver()
    const storage = memoryStorage()
    const { deliveries } = storage
    const purge: typeof deliveries.purge = (before, limit) => deliveries.purge(before, Math.min(limit, 2))
    const shared = { ...storage, deliveries: { ...deliveries, purge } }
    const { till, paid, at } = await tillScene(hook.url, { storage: shared })
    for (let payment = 0; payment < 5; payment++) await paid()
    await till.webhooks.deliverDue()
    expect(await till.webhooks.purge({ olderThan: at(1) })).toBe(5)
  })

  test('asks for a time', async () => {
    const { till } = await tillScene(null)
    expect(await refusal(till.webhooks.purge({ olderThan: 'old' }))).toMatch(
      /^invalid_input: olderThan must be/,
    )
    expect(await refusal(till.webhooks.purge({} as never))).toMatch(/^invalid_input: olderThan must be/)
  })
})

test('counts tell what is to be done', async () => {
  const hook = await receiver((response, _, count) =>
    response.writeHead([200, 410, 500][count - 1] ?? 200).end(),
  )
  const { till, paid, at, pass } = await tillScene(hook.url)
  const nothing = { pending: 0, due: 0, oldestDueAt: null, exhausted: 0, pausedEndpoints: 0 }
  expect(await till.webhooks.counts()).toEqual(nothing)
  await paid()
  pass(10)
  for (let payment = 0; payment < 2; payment++) await paid()
  expect(await till.webhooks.counts()).toEqual({ ...nothing, pending: 3, due: 3, oldestDueAt: at(0) })
  await till.webhooks.deliverDue()
  expect(await till.webhooks.counts()).toEqual({ ...nothing, pending: 1, exhausted: 1 })
})
