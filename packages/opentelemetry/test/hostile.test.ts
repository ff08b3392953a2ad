import { DiagLogLevel, diag, type MeterProvider, type TracerProvider } from '@opentelemetry/api'
import { AggregationTemporality, MeterProvider as RealMeterProvider } from '@opentelemetry/sdk-metrics'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { type Instrumentation, instrumentTillkit } from '../src/index.ts'
import { Reader } from './host.ts'
import { type Sdk, sdk } from './sdk.ts'
import { openShop, type Shop } from './shop.ts'

let shop: Shop
let it: Instrumentation | undefined

beforeAll(async () => {
  shop = await openShop()
})
afterEach(() => {
  it?.disable()
  diag.disable()
})
afterAll(() => shop.close())

const pay = async () =>
  shop.till.payments.complete(await shop.till.payments.start({ scanCode: 'counter-4711', totalAmount: 1250 }))

/** Whatever is called on it throws. */
const broken = new Proxy(
  {},
  {
    get() {
      throw new Error('this SDK is broken')
    },
  },
)

test('an SDK that throws harms no payment, and is told of', async () => {
  const told: string[] = []
  const quiet = () => {}
  const error = (message: string) => told.push(message)
  diag.setLogger({ error, warn: quiet, info: quiet, debug: quiet, verbose: quiet }, DiagLogLevel.ERROR)
  const tracerProvider = { getTracer: () => broken } as unknown as TracerProvider
  it = instrumentTillkit({ tracerProvider })
  expect((await pay()).status).toBe('completed')
  expect((await shop.get('/v1/payments')).status).toBe(200)
  expect(await shop.till.webhooks.deliverDue()).toEqual({ delivered: 1, failed: 0 })
  expect(told).toContain('tillkit: tillkit:till.payment was not begun')
})

test('measurements that throw harm no payment', async () => {
  const instrument = { record: thrower, add: thrower }
  const meter = {
    createHistogram: () => instrument,
    createCounter: () => instrument,
    createObservableUpDownCounter: () => instrument,
    createObservableGauge: () => instrument,
    addBatchObservableCallback() {},
    removeBatchObservableCallback() {},
  }
  const meterProvider = { getMeter: () => meter } as unknown as MeterProvider
  it = instrumentTillkit({ meterProvider, till: shop.till })
  expect((await pay()).status).toBe('completed')
  expect((await shop.get('/v1/payments')).status).toBe(200)
})

function thrower(): never {
  throw new Error('this SDK is broken')
}

test('a till that does not answer holds nothing up, and its gauges are left out', async () => {
  const never = vi.fn(() => new Promise<never>(() => {}))
  const till = {
    webhooks: { counts: never },
    payments: { unresolved: async () => ({ items: [], after: null }) },
    now: async () => new Date(),
  }
  const one: Sdk = sdk({ till })
  it = one
  await pay()
  const names = (await one.metrics()).flatMap(({ descriptor, dataPoints }) =>
    dataPoints.length > 0 ? [descriptor.name] : [],
  )
  expect(names).toContain('tillkit.payment.takings')
  expect(names).not.toContain('tillkit.delivery.due')
  // Nor is it asked again before it has answered.
  await one.metrics()
  expect(never).toHaveBeenCalledOnce()
})

test('what a till said last counts for a minute once it has fallen silent; an SDK that keeps what it has sent goes on with it', async () => {
  let silent = false
  const counts = async () => {
    if (silent) await new Promise<never>(() => {})
    return { pending: 3, due: 2, oldestDueAt: null, exhausted: 1, pausedEndpoints: 0 }
  }
  const unresolved = async () => ({ items: [], after: null })
  const till = { webhooks: { counts }, payments: { unresolved }, now: async () => new Date() }
  const forgetting = new Reader({ aggregationTemporalitySelector: () => AggregationTemporality.DELTA })
  const keeping = new Reader()
  it = instrumentTillkit({ till, meterProvider: new RealMeterProvider({ readers: [forgetting, keeping] }) })
  const dueOf = async (reader: Reader) => {
    const { resourceMetrics } = await reader.collect()
    return resourceMetrics.scopeMetrics
      .flatMap(({ metrics }) => metrics)
      .filter(({ descriptor }) => descriptor.name === 'tillkit.delivery.due')
      .flatMap(({ dataPoints }) => dataPoints.map(({ value }) => value))
  }
  const steady = performance.now.bind(performance)
  const later = (milliseconds: number) =>
    vi.spyOn(performance, 'now').mockImplementation(() => steady() + milliseconds)
  onTestFinished(() => void vi.restoreAllMocks())
  // In this order: what one reader has measured is told to the other, too.
  expect([await dueOf(keeping), await dueOf(forgetting)]).toEqual([[2], [2]])
  silent = true
  later(30_000)
  expect([await dueOf(keeping), await dueOf(forgetting)]).toEqual([[2], [2]])
  later(61_000)
  expect([await dueOf(keeping), await dueOf(forgetting)]).toEqual([[2], []])
})

test('a till that fails is asked again, and others’ readers share an answer', async () => {
  let asked = 0
  const counts = async () => {
    asked += 1
    if (asked === 1) throw new Error('the database is away')
    return { pending: 3, due: 2, oldestDueAt: null, exhausted: 1, pausedEndpoints: 0 }
  }
  const unresolved = async () => ({ items: [], after: null })
  const one = sdk({ till: { webhooks: { counts }, payments: { unresolved }, now: async () => new Date() } })
  it = one
  const dueOf = async () =>
    (await one.metrics()).find(({ descriptor }) => descriptor.name === 'tillkit.delivery.due')
  expect((await dueOf())?.dataPoints ?? []).toEqual([])
  expect((await dueOf())?.dataPoints.map(({ value }) => value)).toEqual([2])
  await Promise.all([dueOf(), dueOf(), dueOf()])
  expect(asked).toBe(2)
})

test('requests may be left to another instrumentation', async () => {
  const one = sdk({ requests: false })
  it = one
  expect((await shop.get('/v1/payments')).status).toBe(200)
  const names = (await one.metrics()).map(({ descriptor }) => descriptor.name)
  expect(names).toContain('db.client.operation.duration')
  expect(names).not.toContain('http.server.request.duration')
})

test.each([
  [{ tracer: 1 }, 'tracer'],
  [{ till: {} }, 'till'],
  [{ till: null }, 'till'],
  [{ tracerProvider: {} }, 'tracerProvider'],
  [{ meterProvider: 'one' }, 'meterProvider'],
  [{ requests: 'no' }, 'requests'],
  [null, 'options'],
])('%j is refused by its name', (options, name) => {
  const refused = () => instrumentTillkit(options as never)
  expect(refused).toThrow(name)
  expect(refused).toThrow(expect.objectContaining({ code: 'invalid_input' }))
})
