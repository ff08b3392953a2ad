import { checkConformance } from '@tillkit/conformance'
import { expect, test } from 'vitest'
import { buildApp } from '../src/build.ts'

test('it is what the API’s contract says, without a socket', { timeout: 240_000 }, async () => {
  const { app, till, close } = await buildApp({ file: ':memory:', qrBaseUrl: 'https://pay.example.com' })
  const { id } = await till.merchants.create({
    name: 'Corner Coffee',
    features: { tips: true, deviceLists: true },
  })
  const { apiKey: key } = await till.apiKeys.issue(id)
  const { code: scanCode } = await till.scanCodes.create(id)
  for (let i = 0; i < 7; i++) {
    const payment = await till.payments.start({ scanCode, totalAmount: 450 + i, deviceSerialNumber: `D${i}` })
    if (i !== 3) await till.payments.complete(payment)
  }
  const report = await checkConformance({
    url: 'https://pay.example.com/v1',
    qrUrl: 'https://pay.example.com',
    key,
    destructive: true,
    fetch: async (input, init) => app.fetch(new Request(input, init)),
  })
  expect(report.checks.filter(({ status }) => status === 'differs')).toEqual([])
  await close()
})
