import { merchantApi } from '@tillkit/http'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { expect, test } from 'vitest'
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
