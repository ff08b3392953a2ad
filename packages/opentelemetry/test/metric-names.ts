import type { MeterProvider } from '@opentelemetry/api'
import { instrumentTillkit } from '../src/index.ts'

/** The names of all instruments that an instrumentation makes. */
export function metricNames(): string[] {
  const names: string[] = []
  const make = (name: string) => {
    names.push(name)
    return {}
  }
  const meter = {
    createHistogram: make,
    createCounter: make,
    createObservableUpDownCounter: make,
    createObservableGauge: make,
    addBatchObservableCallback() {},
    removeBatchObservableCallback() {},
  }
  const never = () => new Promise<never>(() => {})
  const till = { webhooks: { counts: never }, payments: { unresolved: never }, now: never }
  const meterProvider = { getMeter: () => meter } as unknown as MeterProvider
  instrumentTillkit({ meterProvider, till }).disable()
  return names
}
