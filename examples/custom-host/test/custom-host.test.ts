import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseWebhook, verifyWebhook } from '@tillkit/webhook-signer'
import { expect, onTestFinished, test } from 'vitest'
import { buildHost } from '../src/build.ts'
import { journaledStorage } from '../src/store/journaled-storage.ts'

const key = 'a key that the merchant has as well'
const createdAt = '2026-11-20T09:30:00.000Z'

/** The host, its merchant's shop, and what the shop was told. */
async function scene(charge = async () => true) {
  const told = Promise.withResolvers<{ rawBody: string; authorization: string | undefined }>()
  const shop = createServer(async (request, response) => {
    told.resolve({ rawBody: await text(request), authorization: request.headers.authorization })
    response.end()
  }).listen(0, '127.0.0.1')
  await once(shop, 'listening')
  const webhookUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/`

  const folder = await mkdtemp(join(tmpdir(), 'tillkit-custom-'))
  const qrBaseUrl = 'https://pay.example.com'
  const options = { file: join(folder, 'journal'), qrBaseUrl, charge, webhookKeyOf: () => key }
  const { server, store, close } = await buildHost(options)
  const features = { tips: false, userReferences: false, deviceLists: false }
  await store.merchants.create({ id: 'coffee', name: 'Corner Coffee', webhookUrl, features, createdAt })
  await store.scanCodes.add({ merchantId: 'coffee', code: 'counter', reference: null, createdAt })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  onTestFinished(async () => {
    server.closeAllConnections()
    await close()
    shop.closeAllConnections()
    shop.close()
    await rm(folder, { recursive: true })
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const ask = (path: string, init?: RequestInit) => fetch(`${origin}${path}`, init)
  return { ask, store, close, file: options.file, told: told.promise }
}

test('a customer scans, pays, and the shop is told with a signature', async () => {
  const { ask, store, told } = await scene()
  const offer = await (await ask('/qr/counter?id=order-7&amount=450&strict=true')).text()
  expect(offer).toContain('€4.50 for order-7')
  const paid = await ask('/qr/counter?id=order-7&amount=450&strict=true&table=4', { method: 'POST' })
  expect([paid.status, await paid.text()]).toEqual([200, expect.stringMatching(/Paid €4\.50, code \d{6}/)])

  const { rawBody, authorization } = await told
  expect(verifyWebhook({ rawBody, authorization, key })).toBe(true)
  expect(parseWebhook(rawBody)).toMatchObject({ id: 1, merchantReference: 'order-7', extra: { table: '4' } })
  const again = await ask('/qr/counter?id=order-7&amount=450&strict=true', { method: 'POST' })
  expect([again.status, await again.text()]).toEqual([402, expect.stringContaining('reference_taken')])
  expect((await store.payments.list('coffee', {}, { skip: 0, limit: 10 })).total).toBe(2)
})

test('a card that is declined is an error, and told', async () => {
  const { ask, told } = await scene(async () => false)
  expect((await ask('/qr/counter?amount=450', { method: 'POST' })).status).toBe(402)
  expect(parseWebhook((await told).rawBody)).toMatchObject({ id: 1, status: 'error' })
})

test('a host that stops records what is charged for a customer who has gone', async () => {
  const charging = Promise.withResolvers<void>()
  const charged = Promise.withResolvers<boolean>()
  const { ask, close, file, told } = await scene(() => {
    charging.resolve()
    return charged.promise
  })
  const customer = new AbortController()
  const gone = ask('/qr/counter?amount=450', { method: 'POST', signal: customer.signal }).catch(() => {})
  await charging.promise
  customer.abort()
  await gone
  const closed = close()
  setTimeout(() => charged.resolve(true), 300)
  await closed

  expect(parseWebhook((await told).rawBody)).toMatchObject({ id: 1, status: 'completed' })
  const reopened = await journaledStorage(file)
  expect(await reopened.payments.get({ merchantId: 'coffee', id: 1 })).toMatchObject({ status: 'completed' })
  await reopened.close()
})

test('images, unknown codes, and addresses that are wrong', async () => {
  const { ask } = await scene()
  const png = await ask('/qr/counter.png?amount=450&scan_code_size=200')
  expect([png.status, png.headers.get('content-type')]).toEqual([200, 'image/png'])
  expect(await (await ask('/qr/counter.svg')).text()).toContain('<svg')
  for (const method of ['GET', 'POST']) expect((await ask('/qr/unknown', { method })).status).toBe(404)
  expect((await ask('/elsewhere')).status).toBe(404)
  const wrong = await ask('/qr/counter?amount=4.50')
  expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining('amount')])
  for (const method of ['GET', 'POST']) {
    const unpayable = await ask(`/qr/counter?id=${'7'.repeat(256)}`, { method })
    expect([unpayable.status, await unpayable.text()]).toEqual([400, expect.stringContaining('255')])
  }
})
