import * as conventions from '@opentelemetry/semantic-conventions/incubating'
import {
  METRIC_DB_CLIENT_CONNECTION_COUNT,
  METRIC_DB_CLIENT_CONNECTION_LIMIT,
  METRIC_DB_CLIENT_CONNECTION_PENDING_REQUESTS,
  METRIC_DB_CLIENT_CONNECTION_TIMEOUTS,
  METRIC_DB_CLIENT_CONNECTION_WAIT_TIME,
  METRIC_DB_CLIENT_OPERATION_DURATION,
  METRIC_HTTP_SERVER_REQUEST_DURATION,
} from '@opentelemetry/semantic-conventions/incubating'
import { merchantApi, toFetch } from '@tillkit/http'
import { DatabaseError } from '@tillkit/storage'
import { memoryStorage } from '@tillkit/storage/memory'
import { createTill, TillError } from '@tillkit/till'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { everything } from './everything.ts'
import { type Sdk, sdk, valuesOf } from './sdk.ts'
import { openShop, type Shop } from './shop.ts'

let shop: Shop
let it: Sdk

beforeAll(async () => {
  shop = await openShop()
  it = sdk({ till: shop.till })
  await everything(shop)
})
afterAll(async () => {
  it.disable()
  await shop.close()
})

const CONVENTIONAL = [
  METRIC_HTTP_SERVER_REQUEST_DURATION,
  METRIC_DB_CLIENT_OPERATION_DURATION,
  METRIC_DB_CLIENT_CONNECTION_COUNT,
  METRIC_DB_CLIENT_CONNECTION_LIMIT,
  METRIC_DB_CLIENT_CONNECTION_PENDING_REQUESTS,
  METRIC_DB_CLIENT_CONNECTION_TIMEOUTS,
  METRIC_DB_CLIENT_CONNECTION_WAIT_TIME,
]

test('what there is a convention for goes by it, names and attributes', async () => {
  const metrics = await it.metrics()
  const names = metrics.map(({ descriptor }) => descriptor.name)
  expect(names.filter(name => !name.startsWith('tillkit.')).sort()).toEqual([...CONVENTIONAL].sort())
  const known = new Set<unknown>(
    Object.entries(conventions).flatMap(([name, value]) => (/^ATTR_/.test(name) ? [value] : [])),
  )
  const attributes = metrics.flatMap(({ dataPoints }) =>
    dataPoints.flatMap(point => Object.keys(point.attributes)),
  )
  expect(attributes.filter(name => !name.startsWith('tillkit.') && !known.has(name))).toEqual([])
})

test('payments are counted once, by their outcome, and takings in cents', async () => {
  const metrics = await it.metrics()
  const status = (text: string) => ({ 'tillkit.till': 'live', 'tillkit.payment.status': text })
  expect(valuesOf(metrics, 'tillkit.payment.starts')).toEqual([
    [status('pending'), 5],
    [status('error'), 1],
  ])
  expect(valuesOf(metrics, 'tillkit.payment.outcomes')).toEqual([
    [status('completed'), 2],
    [{ ...status('error'), 'tillkit.payment.failure': 'other' }, 1],
    [{ ...status('error'), 'tillkit.payment.failure': 'amount_too_low' }, 1],
    [{ ...status('error'), 'tillkit.payment.failure': 'stale' }, 1],
  ])
  expect(valuesOf(metrics, 'tillkit.payment.takings')).toEqual([[{ 'tillkit.till': 'live' }, 1250 + 4711]])
})

test('the backlog is the till’s own', async () => {
  const metrics = await it.metrics()
  const gauge = (name: string) => valuesOf(metrics, name)[0]?.[1]
  const counts = await shop.till.webhooks.counts()
  expect([gauge('tillkit.delivery.pending'), gauge('tillkit.delivery.exhausted')]).toEqual([
    counts.pending,
    counts.exhausted,
  ])
  expect(gauge('tillkit.endpoint.paused')).toBe(0)
  expect(gauge('tillkit.payment.pending.age')).toBeGreaterThanOrEqual(0)
  expect(gauge('tillkit.delivery.lag')).toBeGreaterThanOrEqual(0)
})

const coded = (code: string) => Object.assign(new Error('of order 4711'), { code })

test.each<[string, unknown]>([
  ['57P01', new DatabaseError('the database is away', { cause: coded('57P01') })],
  ['ECONNREFUSED', new DatabaseError('the database is away', { cause: coded('ECONNREFUSED') })],
  ['DatabaseError', new DatabaseError('the database is away')],
  ['conflict', new TillError('conflict', 'scan code counter takes no payments')],
  ['Error', coded('of order 4711')],
  ['_OTHER', 'of order 4711'],
])('an error is %s, by its cause, its code or its name, and by no text', async (word, error) => {
  const memory = memoryStorage()
  const start = async () => {
    throw error
  }
  const storage = { ...memory, payments: { ...memory.payments, start } }
  const till = createTill({ name: 'failing', storage, logger: false })
  await till.merchants.create({ id: 'coffee', name: 'Corner Coffee' })
  await till.scanCodes.create('coffee', { code: 'counter' })
  const one = sdk({})
  await till.payments.start({ scanCode: 'counter', totalAmount: 1 }).catch(() => {})
  const calls = (await one.metrics()).find(({ descriptor }) => descriptor.name.endsWith('operation.duration'))
  one.disable()
  expect(calls?.dataPoints.map(({ attributes }) => attributes['error.type'])).toEqual([word])
})

test('a period that has a pending payment is told from a fault, which is a 500 as well', async () => {
  const memory = memoryStorage()
  const list = async () => {
    throw new Error('of order 4711')
  }
  const storage = { ...memory, payments: { ...memory.payments, list } }
  const till = createTill({ storage, logger: false })
  await till.merchants.create({ id: 'coffee', name: 'Corner Coffee' })
  await till.scanCodes.create('coffee', { code: 'counter' })
  const { apiKey } = await till.apiKeys.issue('coffee')
  await till.payments.start({ scanCode: 'counter', totalAmount: 1250 })
  const { reference } = await till.cashUps.create('coffee')
  const answer = toFetch(merchantApi(till, { https: 'off' }))
  const headers = { authorization: `Basic ${Buffer.from(`${apiKey}:`).toString('base64')}` }
  const one = sdk({})
  for (const path of [`payments/cash_ups/${reference}`, 'payments'])
    expect((await answer(new Request(`http://localhost/${path}`, { headers }))).status).toBe(500)
  const asked = (await one.metrics()).find(({ descriptor }) => descriptor.name.startsWith('http.'))
  one.disable()
  expect(asked?.dataPoints.map(({ attributes }) => attributes['error.type'])).toEqual(['not_ready', '500'])
})

test('no metric has a value of which there may be many', async () => {
  const metrics = await it.metrics()
  const values = metrics.flatMap(({ dataPoints }) =>
    dataPoints.flatMap(({ attributes }) => Object.values(attributes).map(String)),
  )
  const secret = /4711|coffee|counter|order|tk_|127\.0\.0\.1|http:\/\/|whim/
  expect(values.filter(value => secret.test(value))).toEqual([])
  expect(new Set(values.filter(value => /\d{4,}/.test(value)))).toEqual(new Set())
})
