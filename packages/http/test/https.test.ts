import { merchantApi, qrEndpoints } from '@tillkit/http'
import { expect, test } from 'vitest'
import { openTill, parsed, send, untouchable } from './fixture.ts'

const qrBaseUrl = 'https://pay.example.com'

test('plain HTTP is refused before anything else', async () => {
  const api = merchantApi(untouchable)
  const preflight = { origin: 'https://shop.example.com', 'access-control-request-method': 'GET' }
  for (const sent of [{}, { apiKey: 'tk_1' }, { method: 'OPTIONS', headers: preflight }]) {
    const response = await send(api, '/payments', { ...sent, secure: false })
    expect(response.status).toBe(403)
    expect(parsed(response)).toEqual({ message: 'HTTPS is required' })
    expect(response.headers['Access-Control-Allow-Origin']).toBe('*')
  }
})

test('plain HTTP is refused for QR codes too', async () => {
  const { till, code } = await openTill()
  const qr = qrEndpoints(till, { qrBaseUrl })
  for (const target of [`/${code}`, `/${code}.svg`, '/unknown']) {
    expect((await send(qr, target, { secure: false })).status).toBe(403)
  }
})

test("https: 'off' answers plain HTTP, for local work", async () => {
  const { till, apiKey, code } = await openTill()
  const api = merchantApi(till, { https: 'off' })
  const qr = qrEndpoints(till, { qrBaseUrl, https: 'off' })
  expect((await send(api, '/payments', { apiKey, secure: false })).status).toBe(200)
  expect((await send(qr, `/${code}.svg`, { secure: false })).status).toBe(200)
})
