import type { AddressInfo } from 'node:net'
import { checkConformance } from '@tillkit/conformance'
import { generate } from 'selfsigned'
import { expect, test } from 'vitest'
import { buildServer } from '../src/build.ts'

test('it is what the API’s contract says', { timeout: 240_000 }, async () => {
  const name = [{ name: 'commonName', value: 'localhost' }]
  const { private: key, cert } = await generate(name, { keySize: 2048 })
  const qrBaseUrl = 'https://pay.example.com'
  const { server, till, close } = await buildServer({ file: ':memory:', tls: { key, cert }, qrBaseUrl })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  try {
    const { id } = await till.merchants.create({ name: 'Corner Coffee' })
    const { apiKey } = await till.apiKeys.issue(id)
    const { code: scanCode } = await till.scanCodes.create(id)
    for (let i = 0; i < 12; i++) {
      const payment = await till.payments.start({
        scanCode,
        totalAmount: 450,
        merchantReference: `order-${i % 4}`,
      })
      if (i % 5 > 0) await till.payments.complete(payment)
      if (i === 4) await till.cashUps.create(id)
    }
    const qrUrl = `https://localhost:${(server.address() as AddressInfo).port}`
    const report = await checkConformance({
      url: `${qrUrl}/v1`,
      qrUrl,
      key: apiKey,
      ca: cert,
      destructive: true,
    })
    expect(report.checks.filter(({ status }) => status === 'differs')).toEqual([])
  } finally {
    await close()
  }
})
