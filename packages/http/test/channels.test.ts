import { tracingChannel } from 'node:diagnostics_channel'
import { memoryStorage } from '@tillkit/storage/memory'
import { createTill } from '@tillkit/till'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { merchantApi, qrEndpoints, type RequestMessage, toFetch } from '../src/index.ts'

const channel = tracingChannel<unknown, RequestMessage>('tillkit:http.request')
let told: RequestMessage[] = []
const listener = (message: unknown) => told.push(message as RequestMessage)

beforeEach(() => {
  told = []
  channel.asyncEnd.subscribe(listener)
})
afterEach(() => {
  channel.asyncEnd.unsubscribe(listener)
})

async function open() {
  const till = createTill({ storage: memoryStorage(), logger: QUIET })
  await till.merchants.create({ id: 'shop', name: 'Shop' })
  await till.scanCodes.create('shop', { code: 'counter' })
  const { apiKey } = await till.apiKeys.issue('shop')
  const api = merchantApi(till, { https: 'off' })
  const qr = qrEndpoints(till, { qrBaseUrl: 'http://localhost', https: 'off' })
  const handler = toFetch({ '/v1': api, '/qr': qr })
  const headers = { authorization: `Basic ${btoa(`${apiKey}:`)}` }
  return (path: string, init: RequestInit = { headers }) =>
    handler(new Request(`http://localhost${path}`, init))
}

const quiet = () => {}
const QUIET = { debug: quiet, info: quiet, warn: quiet, error: quiet }

test('requests are told of by handler, route and merchant, never by what stands in the path', async () => {
  const ask = await open()
  const paths = [
    '/v1/payments',
    '/v1/payments/7',
    '/v1/cash_ups',
    '/v1/nothing',
    '/qr/counter',
    '/qr/counter.svg',
    '/qr/other',
    '/qr',
  ]
  for (const path of paths) await ask(path)
  await ask('/v1/payments', {})
  expect(
    told.map(({ handler, route, merchantId, result }) => [handler, route, merchantId, result?.status]),
  ).toEqual([
    ['merchant_api', '/payments', 'shop', 200],
    ['merchant_api', '/payments/{id}', 'shop', 404],
    ['merchant_api', '/cash_ups', 'shop', 200],
    ['merchant_api', undefined, 'shop', 404],
    ['qr', '/{scanCode}', undefined, 200],
    ['qr', '/{scanCode}.svg', undefined, 200],
    ['qr', '/{scanCode}', undefined, 404],
    ['qr', undefined, undefined, 404],
    ['merchant_api', undefined, undefined, 401],
  ])
})

test('a message has the id that the answer has', async () => {
  const ask = await open()
  const response = await ask('/v1/payments')
  expect(told.map(({ requestId }) => requestId)).toEqual([response.headers.get('x-request-id')])
  expect(told[0]?.request.headers.authorization).toMatch(/^Basic /)
})
