// A host with the SDK of the line before: 1.9 with SDK 2.
import assert from 'node:assert/strict'
import { metrics } from '@opentelemetry/api'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'
import { instrumentTillkit } from '@tillkit/opentelemetry'
import { memoryStorage } from '@tillkit/storage/memory'
import { createTill } from '@tillkit/till'

const spans = new InMemorySpanExporter()
new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }).register()
const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 60_000 })
metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }))

const till = createTill({
  storage: memoryStorage(),
  logger: false,
  webhooks: { allowHttp: true, allowPrivateAddresses: true },
})
const instrumentation = instrumentTillkit({ till })
const webhookUrl = 'http://127.0.0.1:9/nobody-listens-here'
await till.merchants.create({ id: 'coffee', name: 'Corner Coffee', webhookUrl })
await till.scanCodes.create('coffee', { code: 'counter' })
await till.payments.complete(await till.payments.start({ scanCode: 'counter', totalAmount: 1250 }))
await till.webhooks.deliverDue()

const finished = spans.getFinishedSpans()
const outcome = finished.find(({ name }) => name === 'tillkit.payment complete')
const attempt = finished.find(({ name }) => name === 'tillkit.delivery attempt')
assert.ok(finished.some(({ name }) => name === 'tillkit.payment start'))
assert.equal(attempt?.links[0]?.context.spanId, outcome?.spanContext().spanId)

await reader.forceFlush()
const measured = exporter.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(one => one.metrics))
const takings = measured.find(({ descriptor }) => descriptor.name === 'tillkit.payment.takings')
assert.deepEqual(
  takings?.dataPoints.map(({ value }) => value),
  [1250],
)
const pending = measured.find(({ descriptor }) => descriptor.name === 'tillkit.delivery.pending')
assert.deepEqual(
  pending?.dataPoints.map(({ value }) => value),
  [1],
)

instrumentation.disable()
await reader.shutdown()
await till.close()
