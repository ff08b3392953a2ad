import { MeterProvider, type MetricData } from '@opentelemetry/sdk-metrics'
import {
  AlwaysOnSampler,
  InMemorySpanExporter,
  ParentBasedSampler,
  type ReadableSpan,
  type Sampler,
  SimpleSpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { type Instrumentation, type InstrumentOptions, instrumentTillkit } from '../src/index.ts'
import { Reader, registerContexts } from './host.ts'

/** A real SDK, and Tillkit instrumented with it. */
export interface Sdk extends Instrumentation {
  spans(): ReadableSpan[]
  metrics(): Promise<MetricData[]>
  /** Forgets the spans so far. */
  reset(): void
}

registerContexts()

export function sdk(
  options: InstrumentOptions = {},
  { sampler = new ParentBasedSampler({ root: new AlwaysOnSampler() }) }: { sampler?: Sampler } = {},
): Sdk {
  const exporter = new InMemorySpanExporter()
  const tracerProvider = new TracerProvider({
    sampler,
    spanProcessors: [new SimpleSpanProcessor({ exporter })],
  })
  const reader = new Reader()
  const meterProvider = new MeterProvider({ readers: [reader] })
  const { disable } = instrumentTillkit({ tracerProvider, meterProvider, ...options })
  return {
    disable,
    spans: () => exporter.getFinishedSpans(),
    reset: () => exporter.reset(),
    async metrics() {
      const { resourceMetrics, errors } = await reader.collect()
      if (errors.length > 0) throw errors[0]
      return resourceMetrics.scopeMetrics.flatMap(scope => scope.metrics)
    },
  }
}

/** The spans of a name, which there must be. */
export function named(spans: ReadableSpan[], name: string): ReadableSpan[] {
  const found = spans.filter(span => span.name === name)
  if (found.length === 0) throw new Error(`no span ${name} among ${spans.map(span => span.name).join(', ')}`)
  return found
}

/** The one span of a name. */
export function only(spans: ReadableSpan[], name: string): ReadableSpan {
  const found = named(spans, name)
  if (found.length !== 1 || !found[0]) throw new Error(`${found.length} spans are called ${name}`)
  return found[0]
}

/** What is below a span, at once. */
export function below(spans: ReadableSpan[], parent: ReadableSpan): string[] {
  const { spanId } = parent.spanContext()
  return spans.filter(span => span.parentSpanContext?.spanId === spanId).map(span => span.name)
}

/** The values of a metric, by their attributes. */
export function valuesOf(metrics: MetricData[], name: string): [attributes: object, value: unknown][] {
  const metric = metrics.find(({ descriptor }) => descriptor.name === name)
  if (!metric)
    throw new Error(`no metric ${name} among ${metrics.map(one => one.descriptor.name).join(', ')}`)
  return metric.dataPoints.map(({ attributes, value }) => [attributes, value])
}
