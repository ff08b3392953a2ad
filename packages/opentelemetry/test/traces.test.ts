import { SpanKind, SpanStatusCode } from '@opentelemetry/api'
import { AlwaysOffSampler } from '@opentelemetry/sdk-trace'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { below, named, only, type Sdk, sdk } from './sdk.ts'
import { openShop, type Shop } from './shop.ts'

let shop: Shop
let it: Sdk | undefined

beforeAll(async () => {
  shop = await openShop()
})
afterEach(() => it?.disable())
afterAll(() => shop.close())

const pay = async () => shop.till.payments.complete(await start())
const start = () => shop.till.payments.start({ scanCode: 'counter-4711', totalAmount: 1250 })

test('a request is part of its client’s trace, and its statements are part of the request', async () => {
  await start()
  it = sdk()
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const authorization = `Basic ${Buffer.from(`${shop.apiKey}:`).toString('base64')}`
  const traceparent = `00-${traceId}-b7ad6b7169203331-01`
  const response = await shop.get('/v1/payments?page=1', { authorization, traceparent })
  expect(response.status).toBe(200)
  const request = only(it.spans(), 'GET /payments')
  expect([request.kind, request.spanContext().traceId]).toEqual([SpanKind.SERVER, traceId])
  expect(request.parentSpanContext?.spanId).toBe('b7ad6b7169203331')
  expect(request.attributes).toMatchObject({
    'http.request.method': 'GET',
    'http.route': '/payments',
    'http.response.status_code': 200,
    'url.scheme': 'http',
    'url.path': '/payments',
    'tillkit.handler': 'merchant_api',
    'tillkit.merchant.id': shop.merchantId,
    'tillkit.request.id': response.headers.get('x-request-id'),
  })
  expect(below(it.spans(), request)).toContain('SELECT tillkit_payments')
  const statement = named(it.spans(), 'SELECT tillkit_payments')[0]
  expect(statement?.kind).toBe(SpanKind.CLIENT)
  expect(statement?.attributes).toEqual({
    'db.system.name': 'sqlite',
    'db.query.summary': 'SELECT tillkit_payments',
    'db.operation.name': 'SELECT',
    'db.collection.name': 'tillkit_payments',
  })
})

test('an outcome is linked to the attempts of its delivery, across the outbox', async () => {
  it = sdk()
  shop.answers.push(503)
  await shop.till.webhooks.deliverDue()
  it.reset()
  const payment = await pay()
  shop.answers.splice(0, 9, 503)
  await shop.till.webhooks.deliverDue()
  await shop.till.webhooks.redeliver({ merchantId: payment.merchantId, paymentId: payment.id })
  await shop.till.webhooks.deliverDue()
  const outcome = only(it.spans(), 'tillkit.payment complete')
  const attempts = named(it.spans(), 'tillkit.delivery attempt')
  expect(attempts.map(({ attributes }) => attributes['tillkit.delivery.outcome'])).toEqual([
    'answered',
    'delivered',
  ])
  expect(attempts.map(({ status }) => status.code)).toEqual([SpanStatusCode.ERROR, SpanStatusCode.UNSET])
  for (const { links, kind, parentSpanContext } of attempts) {
    const { traceId, spanId } = outcome.spanContext()
    expect(links.map(link => [link.context.traceId, link.context.spanId])).toEqual([[traceId, spanId]])
    expect([kind, parentSpanContext]).toEqual([SpanKind.CLIENT, undefined])
  }
  expect(outcome.attributes).toMatchObject({
    'tillkit.payment.operation': 'complete',
    'tillkit.payment.status': 'completed',
    'tillkit.payment.id': payment.id,
  })
  expect(below(it.spans(), outcome)).toEqual(
    expect.arrayContaining(['BEGIN', 'UPDATE tillkit_payments', 'INSERT tillkit_deliveries', 'COMMIT']),
  )
  const [first] = attempts
  if (first) expect(below(it.spans(), first)).toContain('UPDATE tillkit_deliveries')
})

test('calls that share a transaction keep their statements apart', async () => {
  it = sdk()
  const payments = await Promise.all([start(), start(), start(), start()])
  it.reset()
  await Promise.all(payments.map(payment => shop.till.payments.complete(payment)))
  const outcomes = named(it.spans(), 'tillkit.payment complete')
  for (const outcome of outcomes) {
    const updates = below(it.spans(), outcome).filter(name => name === 'UPDATE tillkit_payments')
    expect(updates).toEqual(['UPDATE tillkit_payments'])
  }
  expect(outcomes.length).toBe(4)
})

test('a trace that nobody keeps is not written into the outbox', async () => {
  await shop.till.webhooks.deliverDue()
  it = sdk({}, { sampler: new AlwaysOffSampler() })
  await pay()
  const lease = { now: '2099-01-01T00:00:00.000Z', leaseUntil: '2099-01-01T00:00:00.001Z', limit: 10 }
  const claimed = await shop.storage.deliveries.claim(lease)
  expect(claimed.map(({ traceparent }) => traceparent)).toEqual([null])
  expect(it.spans()).toEqual([])
})

test('what fails says why in a word', async () => {
  it = sdk()
  await expect(shop.till.payments.start({ scanCode: 'nobodys', totalAmount: 1 })).rejects.toThrow('unknown')
  const span = only(it.spans(), 'tillkit.payment start')
  expect([span.status.code, span.attributes['error.type']]).toEqual([SpanStatusCode.ERROR, 'not_found'])
  const response = await shop.get('/v1/payments', {})
  expect(response.status).toBe(401)
  const request = only(it.spans(), 'GET')
  expect([request.status.code, request.attributes['http.response.status_code']]).toEqual([
    SpanStatusCode.UNSET,
    401,
  ])
})

test('what the worker asks each second makes no spans', async () => {
  it = sdk()
  await shop.till.webhooks.deliverDue()
  it.reset()
  await shop.till.webhooks.deliverDue()
  expect(it.spans()).toEqual([])
})

test('when it is disabled there is nothing any more', async () => {
  it = sdk()
  it.disable()
  await pay()
  await shop.get('/v1/payments')
  expect(it.spans()).toEqual([])
})
