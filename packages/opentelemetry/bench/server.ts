import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { context, metrics, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics'
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { merchantApi } from '@tillkit/http'
import { toNode } from '@tillkit/node'
import { sqliteStorage } from '@tillkit/storage-kysely/sqlite'
import { createTill } from '@tillkit/till'
import { type Instrumentation, instrumentTillkit } from '../src/index.ts'
import type { Turn } from './turns.ts'

class Reader extends MetricReader {
  protected override async onForceFlush(): Promise<void> {}
  protected override async onShutdown(): Promise<void> {}
}

/** A span that is sampled is put into a batch, as ever, and the batch is let go: what sending costs is the SDK's. */
const exporter = {
  export(_: unknown, done: (result: { code: number }) => void) {
    done({ code: 0 })
  },
  forceFlush: async () => {},
  shutdown: async () => {},
}

context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
propagation.setGlobalPropagator(new W3CTraceContextPropagator())
metrics.setGlobalMeterProvider(new MeterProvider({ readers: [new Reader()] }))
const samplers = { one: new TraceIdRatioBasedSampler(0.01), all: new AlwaysOnSampler() }
const providerOf = (root: keyof typeof samplers) =>
  new TracerProvider({
    sampler: new ParentBasedSampler({ root: samplers[root] }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  })
const providers = { one: providerOf('one'), all: providerOf('all') }
trace.setGlobalTracerProvider(providers.one)

const storage = sqliteStorage({ file: process.argv[2] ?? ':memory:' })
await storage.migrate()
const till = createTill({ storage })
await till.merchants.create({ id: 'coffee', name: 'Corner Coffee' })
await till.scanCodes.create('coffee', { code: 'counter' })
const { apiKey } = await till.apiKeys.issue('coffee')
for (let n = 0; n < 200; n++) await pay()
const server = createServer(toNode({ '/v1': merchantApi(till, { https: 'off', rateLimits: false }) }))

async function pay(): Promise<void> {
  await till.payments.complete(await till.payments.start({ scanCode: 'counter', totalAmount: 1250 }))
}

let instrumentation: Instrumentation | undefined
let began = process.cpuUsage()

/** Turns the instrumentation on or off, does what the turn is about, and tells what it has computed for it. */
process.on('message', async (turn: Turn | 'end') => {
  if (turn === 'end') {
    const { user, system } = process.cpuUsage(began)
    process.send?.({ microseconds: user + system })
    return
  }
  instrumentation?.disable()
  instrumentation =
    turn.listening === 'none' ? undefined : instrumentTillkit({ tracerProvider: providers[turn.listening] })
  began = process.cpuUsage()
  for (let n = 0; n < turn.payments; n++) await pay()
  process.send?.({ begun: true })
})

server.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port, apiKey })
})
