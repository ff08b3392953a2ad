import { checkConformance } from '@tillkit/conformance'
import { expect, test } from 'vitest'
import { buildApp } from '../src/build.ts'

test('it is what the API’s contract says', { timeout: 240_000 }, async () => {
  const app = await buildApp({ file: ':memory:', qrBaseUrl: 'https://pay.example.com', https: 'off' })
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  try {
    const { id } = await app.till.merchants.create({ name: 'Corner Coffee' })
    const { apiKey: key } = await app.till.apiKeys.issue(id)
    const { code: scanCode } = await app.till.scanCodes.create(id)
    for (let i = 0; i < 7; i++) {
      await app.till.payments.complete(await app.till.payments.start({ scanCode, totalAmount: 450 + i }))
    }
    const report = await checkConformance({ url: `${origin}/v1`, qrUrl: origin, key, destructive: true })
    expect(report.checks.filter(({ status }) => status === 'differs')).toEqual([])
  } finally {
    await app.close()
  }
})
