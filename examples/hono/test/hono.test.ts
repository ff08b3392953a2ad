import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { expect, test } from 'vitest'
import { buildApp } from '../src/build.ts'

const qrBaseUrl = 'https://pay.example.com'

test('the API answers as a Hono app does, without a socket', async () => {
  const { app, till, close } = await buildApp({ file: ':memory:', qrBaseUrl })
  const { id } = await till.merchants.create({ name: 'Corner Coffee' })
  const { apiKey } = await till.apiKeys.issue(id)
  const { code } = await till.scanCodes.create(id)
  const headers = { Authorization: `Basic ${btoa(`${apiKey}:`)}` }

  const cashUp = await app.request('https://pay.example.com/v1/cash_ups', { method: 'POST', headers })
  expect(await cashUp.json()).toEqual({ date: expect.any(String), reference: expect.any(String) })
  expect((await app.request('https://pay.example.com/v1/payments')).status).toBe(401)
  expect((await app.request('http://pay.example.com/v1/payments', { headers })).status).toBe(403)
  expect((await app.request(`https://pay.example.com/qr/${code}.svg`)).headers.get('content-type')).toContain(
    'svg',
  )
  expect(await (await app.request('/')).text()).toBe('Payments by QR code')
  expect((await app.request('/elsewhere')).status).toBe(404)
  await close()
})

test('on @hono/node-server the client’s address is known, and its limit is its own', async () => {
  const { app, close } = await buildApp({ file: ':memory:', qrBaseUrl, https: 'off' })
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' })
  await new Promise(resolve => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const response = await fetch(`http://127.0.0.1:${port}/v1/payments`)
  expect([response.status, response.headers.get('RateLimit-Policy')]).toEqual([401, '"address";q=60;w=60'])
  await new Promise(resolve => server.close(resolve))
  await close()
})
