import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

test('a call needs nothing of `fetch` beside it but what the README names', async () => {
  const payment = { id: 7, status: 'completed', date: '2026-11-20T09:30:00Z' }
  const answer = Response.json(payment)
  for (const name of ['Request', 'Response', 'Headers']) vi.stubGlobal(name, undefined)
  vi.stubGlobal('fetch', async () => answer)
  vi.resetModules()
  const { createClient } = await import('@tillkit/client')
  const shop = createClient({ baseUrl: 'https://pay.example.com/v1', apiKey: 'tk_example' })
  expect(await shop.payments.get(7)).toEqual(payment)
})
