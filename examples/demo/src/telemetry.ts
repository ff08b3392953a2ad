import { instrumentTillkit } from '@tillkit/opentelemetry'
import type { Till } from '@tillkit/till'

/** What is sent where. */
export interface Telemetry {
  /** The collector. */
  to: string
  /** Sends the rest. */
  stop(): Promise<void>
}

/** Sends traces and metrics to the collector of `OTEL_EXPORTER_OTLP_ENDPOINT`; null where there is none. */
export async function startTelemetry(till: Till): Promise<Telemetry | null> {
  const to = process.env.OTEL_EXPORTER_OTLP_ENDPOINT
  if (!to) return null
  process.env.OTEL_EXPORTER_OTLP_TIMEOUT ??= '3000' // so long a stop waits for a collector that is away
  const { NodeSDK } = await import('@opentelemetry/sdk-node') // it takes half a second, which nobody waits for without
  const sdk = new NodeSDK({ serviceName: 'tillkit-demo', logRecordProcessors: [] })
  sdk.start()
  const { disable } = instrumentTillkit({ till })
  return {
    to,
    async stop() {
      await sdk.shutdown().catch(error => console.error(`not all was sent to ${to}: ${error.message}`))
      disable()
    },
  }
}
