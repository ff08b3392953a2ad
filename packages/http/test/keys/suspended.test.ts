import { merchantApi, qrEndpoints } from '@tillkit/http'
import { expect, test } from 'vitest'
import { openTill, parsed, send } from '../fixture.ts'

const REFUSED = { message: 'This account is suspended', code: 'suspended' }

test('a suspended merchant’s keys are 403 whatever they ask for, and others are not', async () => {
  const { till, merchant, apiKey } = await openTill()
  const other = await till.merchants.create({ name: 'Other' })
  const others = await till.apiKeys.issue(other.id)
  const api = merchantApi(till)
  await till.merchants.suspend(merchant.id)
  for (const target of ['/payments', '/payments/1', '/cash_ups', '/nothing', '/payments?page=0']) {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const response = await send(api, target, { apiKey, method })
      expect([response.status, parsed(response)]).toEqual([403, REFUSED])
      expect(response.headers).toMatchObject({ 'Access-Control-Allow-Origin': '*' })
    }
  }
  expect((await send(api, '/payments')).status).toBe(401)
  expect((await send(api, '/payments', { apiKey: others.apiKey })).status).toBe(200)
  expect((await till.cashUps.list(merchant.id)).total).toBe(0)
  await till.merchants.resume(merchant.id)
  expect((await send(api, '/payments', { apiKey })).status).toBe(200)
})

test('they count against the limit of their key', async () => {
  const { till, merchant, apiKey } = await openTill()
  const api = merchantApi(till)
  await till.merchants.suspend(merchant.id)
  const statuses = await Promise.all(
    Array.from({ length: 120 }, async () => (await send(api, '/payments', { apiKey })).status),
  )
  expect(new Set(statuses)).toEqual(new Set([403, 429]))
})

test('the page of a code says so, its image stays, and a page of the host’s own is asked as ever', async () => {
  const { till, merchant, code } = await openTill()
  const qr = qrEndpoints(till, { qrBaseUrl: 'https://pay.example.com' })
  const open = await send(qr, `/${code}?amount=500`)
  expect([open.status, String(open.body)]).toEqual([200, expect.stringContaining('5.00')])
  const closed = async () => {
    const page = await send(qr, `/${code}?amount=500`)
    expect([page.status, String(page.body)]).toEqual([403, expect.stringContaining('No payments just now')])
    expect(String(page.body)).toContain('Corner Café')
    expect(String(page.body)).not.toContain('5.00')
    expect((await send(qr, `/${code}.svg`)).status).toBe(200)
  }
  await till.merchants.suspend(merchant.id)
  await closed()
  await till.merchants.resume(merchant.id)
  await till.scanCodes.suspend(code)
  await closed()
  const own = qrEndpoints(till, {
    qrBaseUrl: 'https://pay.example.com',
    onScan: ({ scanCode }) => ({ status: 200, headers: {}, body: scanCode }),
  })
  expect((await send(own, `/${code}`)).body).toBe(code)
  await till.scanCodes.resume(code)
  expect((await send(qr, `/${code}`)).status).toBe(200)
})
