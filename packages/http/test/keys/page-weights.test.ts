import { merchantApi } from '@tillkit/http'
import { expect, test } from 'vitest'
import { openTill, send } from '../fixture.ts'
import { memory, statuses } from './limited.ts'

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
  const ask = (target: string, method = 'GET') => send(api, target, { apiKey, method })
  const left = async (target: string, method?: string) => {
    const { status, headers } = await ask(target, method)
    return [status, Number(/r=(\d+)/.exec(headers.RateLimit ?? '')?.[1])]
  }
  return { till, merchant, ask, left }
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

test('a small page after a large one is soon counted one again', async () => {
  const { left } = await hundredPayments({ notes: 'x'.repeat(8000) }, 1000)
  await left('/payments?perPage=100')
  const before: number[] = []
  for (let i = 0; i < 7; i++) before.push((await left('/payments?perPage=1'))[1] ?? 0)
  const cost = before.map((points, i) => (before[i - 1] ?? 999 - 12) - points)
  expect(cost).toEqual([13, 7, 4, 2, 1, 1, 1])
})

test('where nothing is limited a large page is like any other', async () => {
  const { ask } = await hundredPayments({ notes: 'x'.repeat(8000) }, null)
  const { status, headers } = await ask('/payments?perPage=100')
  expect([status, headers.RateLimit]).toEqual([200, undefined])
})
