import { tracingChannel } from 'node:diagnostics_channel'
import { metrics, ProxyTracerProvider, type TracerProvider as Tracers } from '@opentelemetry/api'
import { MeterProvider } from '@opentelemetry/sdk-metrics'
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { instrumentTillkit } from '../src/index.ts'
import { Reader, registerContexts } from '../test/host.ts'
import type { Listening } from './turns.ts'

/** A span that is sampled is put into a batch, as ever, and the batch is let go: what sending costs is the SDK's. */
const exporter = {
  export(_: unknown, done: (result: { code: number }) => void) {
    done({ code: 0 })
  },
  forceFlush: async () => {},
  shutdown: async () => {},
}

const CHANNELS = [
  'tillkit:http.request',
  'tillkit:till.payment',
  'tillkit:webhook.attempt',
  'tillkit:storage.statement',
  'tillkit:storage.connection',
  'tillkit:storage.turn',
]

function subscribe(): () => void {
  const heard = { messages: 0 }
  const hear = () => {
    heard.messages += 1
  }
  const channels = CHANNELS.flatMap(name => {
    const { start, asyncEnd } = tracingChannel(name)
    return [start, asyncEnd]
  })
  for (const channel of channels) channel.subscribe(hear)
  return () => {
    for (const channel of channels) channel.unsubscribe(hear)
  }
}

function instrumented(tracerProvider: Tracers): () => () => void {
  return () => {
    const instrumentation = instrumentTillkit({ tracerProvider })
    return () => instrumentation.disable()
  }
}

function sampling(root: Sampler): Tracers {
  const sampler = new ParentBasedSampler({ root })
  return new TracerProvider({ sampler, spanProcessors: [new BatchSpanProcessor({ exporter })] })
}

registerContexts()
metrics.setGlobalMeterProvider(new MeterProvider({ readers: [new Reader()] }))

/** What begins to listen, and returns what ends it. */
export const listeners: Record<Listening, () => () => void> = {
  none: () => () => {},
  subscriber: subscribe,
  metrics: instrumented(new ProxyTracerProvider()),
  one: instrumented(sampling(new TraceIdRatioBasedSampler(0.01))),
  all: instrumented(sampling(new AlwaysOnSampler())),
}
