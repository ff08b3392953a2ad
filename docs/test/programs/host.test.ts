import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { merchantApi, toFetch } from '@tillkit/http'
import { memoryStorage } from '@tillkit/storage/memory'
import { createTill, type Till } from '@tillkit/till'
import { parseWebhook, verifyWebhook, type WebhookPayment } from '@tillkit/webhook-signer'
import { beforeEach, expect, onTestFinished, test } from 'vitest'

let now: Date
let till: Till

const later = (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1000)
}

beforeEach(async () => {
  now = new Date('2026-11-20T09:30:00Z')
  till = createTill({
    storage: memoryStorage(),
    clock: () => now,
    webhooks: { allowHttp: true, allowPrivateAddresses: true },
    logger: false,
  })
  await till.merchants.create({ id: 'coffee', name: 'Corner Coffee' })
  await till.scanCodes.create('coffee', { code: 'counter' })
})

/** A merchant's server that answers each webhook with the next of these statuses, and keeps the payments. */
async function openReceiver(key: string, ...statuses: number[]) {
  const payments: WebhookPayment[] = []
  const server = createServer(async (request, response) => {
    const rawBody = await buffer(request)
    const { authorization } = request.headers
    const genuine = verifyWebhook({ rawBody, authorization, key })
    if (genuine) payments.push(parseWebhook(rawBody))
    response.writeHead(genuine ? (statuses.shift() ?? 204) : 401).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { payments, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
}

test('an order is paid once', async () => {
  const order = { scanCode: 'counter', totalAmount: 450, merchantReference: 'order-1', strict: true }
  await till.payments.complete(await till.payments.start(order))
  const again = await till.payments.start(order)
  expect([again.status, again.failure]).toEqual(['error', 'reference_taken'])
})

test('what nobody finished is stale after a day', async () => {
  await till.payments.start({ scanCode: 'counter', totalAmount: 450 })
  later(86_000)
  expect(await till.payments.failStale({ olderThanSeconds: 86_400 })).toBe(0)
  later(1000)
  expect(await till.payments.failStale({ olderThanSeconds: 86_400 })).toBe(1)
})

test('a merchant who was away is told once more', async () => {
  const key = await till.merchants.issueWebhookKey('coffee')
  const receiver = await openReceiver(key, 503, 204)
  await till.merchants.update('coffee', { webhookUrl: receiver.url })
  await till.payments.complete(await till.payments.start({ scanCode: 'counter', totalAmount: 450 }))

  expect(await till.webhooks.deliverDue()).toEqual({ delivered: 0, failed: 1 })
  expect(await till.webhooks.deliverDue()).toEqual({ delivered: 0, failed: 0 })
  later(6) // 5 seconds, give or take a fifth
  expect(await till.webhooks.deliverDue()).toEqual({ delivered: 1, failed: 0 })
  expect(receiver.payments.map(({ id, status }) => [id, status])).toEqual([
    [1, 'completed'],
    [1, 'completed'],
  ])
})

test('the API shows it, without a socket', async () => {
  const { apiKey } = await till.apiKeys.issue('coffee')
  await till.payments.start({ scanCode: 'counter', totalAmount: 450 })
  const fetch = toFetch({ '/v1': merchantApi(till) })
  const headers = { authorization: `Basic ${btoa(`${apiKey}:`)}` }
  const response = await fetch(new Request('https://pay.example.com/v1/payments', { headers }))
  expect(await response.json()).toMatchObject([{ id: 1, status: 'pending', date: '2026-11-20T09:30:00Z' }])
})
