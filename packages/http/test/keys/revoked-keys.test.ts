import { merchantApi } from '@tillkit/http'
import { memoryStorage } from '@tillkit/storage/memory'
import { createTill } from '@tillkit/till'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { expect, test, vi } from 'vitest'
import { openTill, send } from '../fixture.ts'

test('a key that was good and is revoked counts against its address like any wrong one', async () => {
  const { till, merchant } = await openTill()
  const perAddress = new RateLimiterMemory({ points: 2, duration: 3600 })
  const api = merchantApi(till, { rateLimits: { perAddress } })
  const { id, apiKey } = await till.apiKeys.issue(merchant.id)
  const ask = async () => (await send(api, '/payments', { apiKey })).status
  expect(await ask()).toBe(200)
  await till.apiKeys.revoke(merchant.id, id)
  expect([await ask(), await ask(), await ask()]).toEqual([401, 401, 429])
})

test('a revoked key at once many times is, from its first 401 on, as few lookups as any wrong one', async () => {
  const { till, merchant } = await openTill()
  const authenticate = vi.fn(till.authenticate)
  const perAddress = new RateLimiterMemory({ points: 5, duration: 3600 })
  const api = merchantApi({ ...till, authenticate }, { rateLimits: { perAddress } })
  const { id, apiKey } = await till.apiKeys.issue(merchant.id)
  const ask = async () => (await send(api, '/payments', { apiKey })).status
  expect(await ask()).toBe(200)
  await till.apiKeys.revoke(merchant.id, id)
  expect(await ask()).toBe(401)
  authenticate.mockClear()
  const burst = await Promise.all(Array.from({ length: 100 }, ask))
  expect(burst.filter(status => status === 401)).toHaveLength(4)
  expect(authenticate).toHaveBeenCalledTimes(4)
})

test('a key that was revoked in another process opens nothing once what is remembered of it is over', async () => {
  const storage = memoryStorage()
  const [here, there] = [1, 0].map(rememberSeconds => createTill({ storage, rememberSeconds, logger: false }))
  if (!here || !there) throw new Error('unreachable')
  const { id: merchantId } = await there.merchants.create({ name: 'Corner Café' })
  const { id, apiKey } = await there.apiKeys.issue(merchantId)
  const api = merchantApi(here)
  const ask = async () => (await send(api, '/payments', { apiKey })).status
  expect(await ask()).toBe(200)
  await there.apiKeys.revoke(merchantId, id)
  const gone = performance.now() + 1100
  while (performance.now() < gone) {
    await ask()
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  expect(await ask()).toBe(401)
})
