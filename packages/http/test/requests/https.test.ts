import { merchantApi, qrEndpoints } from '@tillkit/http'
import { expect, test, vi } from 'vitest'
import { openTill, parsed, send, untouchable } from '../fixture.ts'

const qrBaseUrl = 'https://pay.example.com'

test('plain HTTP is refused before anything else', async () => {
  const api = merchantApi(untouchable)
  const preflight = { origin: 'https://shop.example.com', 'access-control-request-method': 'GET' }
  for (const sent of [{}, { apiKey: 'tk_1' }, { method: 'OPTIONS', headers: preflight }]) {
    const response = await send(api, '/payments', { ...sent, secure: false })
    expect(response.status).toBe(403)
    expect(parsed(response)).toEqual({ message: 'HTTPS is required', code: 'https_required' })
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

test.each([
  ['X-Forwarded-Proto', 'https'],
  ['Forwarded', 'for=203.0.113.7;proto="https"'],
  ['X-Forwarded-Ssl', 'on'],
  ['Front-End-Https', 'on'],
  ['CloudFront-Forwarded-Proto', 'https'],
  ['X-Forwarded-Protocol', 'https'],
  ['X-Forwarded-Scheme', 'HTTPS'],
  ['X-Url-Scheme', 'https'],
  ['CF-Visitor', '{"scheme":"https"}'],
])('a proxy that ends TLS and is not trusted is warned of once, by its %s', async (name, value) => {
  const { till } = await openTill()
  for (const make of [
    (logger: object) => merchantApi(till, { logger } as never),
    (logger: object) => qrEndpoints(till, { qrBaseUrl, logger } as never),
  ]) {
    const warn = vi.fn()
    const handler = make({ warn, error() {} })
    await send(handler, '/payments', { secure: false })
    for (const sign of ['http', `${'x'.repeat(300)}https`]) {
      await send(handler, '/payments', { secure: false, headers: { 'x-forwarded-proto': sign } })
    }
    expect(warn).not.toHaveBeenCalled()
    for (const _ of [1, 2, 3]) {
      await send(handler, '/payments', { secure: false, headers: { [name.toLowerCase()]: value } })
    }
    expect(warn).toHaveBeenCalledExactlyOnceWith({ header: name }, expect.stringContaining('trustProxy'))
    expect(warn.mock.lastCall?.[1]).toContain(name)
    expect(warn.mock.lastCall?.[1]).toContain('trust proxy')
  }
})

test('requests over HTTPS, and where it is not required, are not warned of', async () => {
  const { till, apiKey } = await openTill()
  const warn = vi.fn()
  const logger = { warn, error() {} }
  const headers = { 'x-forwarded-proto': 'https' }
  await send(merchantApi(till, { logger }), '/payments', { apiKey, headers })
  await send(merchantApi(till, { logger, https: 'off' }), '/payments', { apiKey, headers, secure: false })
  expect(warn).not.toHaveBeenCalled()
})
