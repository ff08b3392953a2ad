import { merchantApi } from '@tillkit/http'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openTill, send } from '../fixture.ts'
import { memory, statuses } from './limited.ts'

let now = 0

beforeEach(() => {
  vi.spyOn(performance, 'now').mockImplementation(() => now)
})

afterEach(() => {
  vi.restoreAllMocks()
})

/** A merchant with a hundred payments, and how much is left of its points after it asked for a target of the API. */
async function hundredPayments(extra: Record<string, string>, points: number | null = 100) {
  const { till, merchant, pay, apiKey } = await openTill()
  for (let i = 0; i < 100; i++) {
    await pay(
      { extra, merchantReference: `order-2026-11-20-${i}`, userReference: 'aoife@shop.example' },
      'completed',
    )
  }
  const api = merchantApi(till, { rateLimits: points !== null && { perKey: memory(points) } })
  const ask = (target: string, method = 'GET', key = apiKey) => send(api, target, { apiKey: key, method })
  const left = async (target: string, method?: string) => {
    const { status, headers } = await ask(target, method)
    return [status, Number(/r=(\d+)/.exec(headers.RateLimit ?? '')?.[1])]
  }
  /** How many of so many requests for a page of a hundred, all sent at once with another key, are answered. */
  const burst = async (requests: number) => {
    const { apiKey: another } = await till.apiKeys.issue(merchant.id)
    const asked = Array.from({ length: requests }, () => ask('/payments?perPage=100', 'GET', another))
    return (await Promise.all(asked)).filter(({ status }) => status === 200).length
  }
  return { till, merchant, ask, left, burst }
}

test('a page of a hundred payments with what a shop notes of each counts as one', async () => {
  const { left } = await hundredPayments({ table: '12', waiter: 'Aoife' })
  expect(await left('/payments?perPage=100')).toEqual([200, 99])
  expect(await left('/payments')).toEqual([200, 98])
})

test('a page counts as one more for each whole 64 KiB of its answer, whether it is sent or not', async () => {
  const { left, ask } = await hundredPayments({ notes: 'x'.repeat(8000) })
  const { headers } = await ask('/payments?perPage=100')
  const more = Math.floor(Number(headers['Content-Length']) / 65_536)
  expect(more).toBeGreaterThanOrEqual(12)
  expect(headers.RateLimit).toContain(`r=${99 - more};`)
  expect(await left('/payments?perPage=100', 'HEAD')).toEqual([200, 98 - 2 * more])
  expect(await left('/payments/1')).toEqual([200, 97 - 2 * more])
})

test('the payments of a cash up weigh as much', async () => {
  const { till, merchant, left } = await hundredPayments({ notes: 'x'.repeat(8000) })
  const { reference } = await till.cashUps.create(merchant.id)
  expect((await left(`/payments/cash_ups/${reference}?perPage=100`))[1]).toBeLessThanOrEqual(87)
})

test('of many large pages at once no more are made than fit, once one was', async () => {
  const { ask } = await hundredPayments({ notes: '\u0001'.repeat(8000) })
  expect((await ask('/payments?perPage=100')).status).toBe(200)
  expect(await statuses(2, () => ask('/payments?perPage=100'))).toEqual([429, 429])
})

test('a page that weighs more than the whole limit is sent where nothing else was asked', async () => {
  const { ask } = await hundredPayments({ notes: '\u0001'.repeat(8000) }, 20)
  expect(await statuses(2, () => ask('/payments?perPage=100'))).toEqual([200, 429])
})

test('of many large pages at once a few are made before the first was weighed', async () => {
  const { burst } = await hundredPayments({ notes: '\u0001'.repeat(8000) })
  expect(await burst(98)).toBe(8)
  expect(await burst(20)).toBe(1)
})

test('of many small pages at once all are made', async () => {
  const { burst } = await hundredPayments({ table: '12', waiter: 'Aoife' })
  expect(await burst(100)).toBe(100)
})

test('what a large page weighed is not forgotten for small ones or for those that are refused, but with time', async () => {
  const { ask, burst } = await hundredPayments({ notes: '\u0001'.repeat(8000) })
  expect(await burst(98)).toBe(8)
  expect(await statuses(7, () => ask('/payments?perPage=1'))).toEqual([200, ...Array(6).fill(429)])
  expect(await burst(98)).toBe(0)
  now += 60_000
  expect(await burst(98)).toBe(8)
})

test('a small page after a large one is soon counted one again', async () => {
  const { left } = await hundredPayments({ notes: 'x'.repeat(8000) }, 1000)
  await left('/payments?perPage=100')
  const before: number[] = []
  for (let i = 0; i < 7; i++) {
    before.push((await left('/payments?perPage=1'))[1] ?? 0)
    if (i > 0) now += 2000
  }
  const cost = before.map((points, i) => (before[i - 1] ?? 999 - 12) - points)
  expect(cost).toEqual([13, 13, 7, 4, 2, 1, 1])
})

test('those that wait for the first pages to be weighed are answered where these fail', async () => {
  const { till, burst } = await hundredPayments({ table: '12', waiter: 'Aoife' })
  const list = vi.spyOn(till.payments, 'list')
  for (let i = 0; i < 8; i++) list.mockRejectedValueOnce(new Error('no such disk'))
  expect(await burst(20)).toBe(12)
})

test('those that wait are not kept by pages that do not come', async () => {
  const { till, burst } = await hundredPayments({ table: '12', waiter: 'Aoife' })
  const list = vi.spyOn(till.payments, 'list')
  const never = Promise.withResolvers<never>()
  for (let i = 0; i < 8; i++) list.mockReturnValueOnce(never.promise)
  const answered = burst(20)
  await vi.waitFor(() => expect(list).toHaveBeenCalledTimes(20), 60_000)
  never.reject(new Error('no such disk'))
  expect(await answered).toBe(12)
})

test('payments that are asked for one by one do not wait for each other', async () => {
  const { till, ask } = await hundredPayments({ table: '12', waiter: 'Aoife' })
  const get = vi.spyOn(till.payments, 'get')
  let asked = 0
  const all = Promise.withResolvers<null>()
  get.mockImplementation(() => {
    asked += 1
    if (asked === 20) all.resolve(null)
    return all.promise
  })
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask('/payments/1')))
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(404))
})

test('where nothing is limited a large page is like any other', async () => {
  const { ask, burst } = await hundredPayments({ notes: 'x'.repeat(8000) }, null)
  const { status, headers } = await ask('/payments?perPage=100')
  expect([status, headers.RateLimit]).toEqual([200, undefined])
  expect(await burst(20)).toBe(20)
})
