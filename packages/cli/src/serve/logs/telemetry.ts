import { setTimeout as sleep } from 'node:timers/promises'
import { DiagLogLevel, diag } from '@opentelemetry/api'
import { instrumentTillkit } from '@tillkit/opentelemetry'
import type { Logger, Till } from '@tillkit/till'
import type { Values } from '../../settings/settings.ts'
import { SettingsError } from '../../settings/settings-error.ts'

/** For how many milliseconds a collector may take nothing: a stop waits no longer for it. */
const PATIENCE = 3000

/** OpenTelemetry's own SDK. Throws `SettingsError` saying what to install where it is not there. */
async function loadSdk() {
  try {
    return await import('@opentelemetry/sdk-node')
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new SettingsError(['--telemetry needs OpenTelemetry’s SDK: npm install @opentelemetry/sdk-node'])
  }
}

/** Throws `SettingsError` where telemetry is asked for and cannot be had. */
export async function checkTelemetry({ telemetry }: Values): Promise<void> {
  if (telemetry) await loadSdk()
}

/**
 * Sends traces and metrics of all that this process does, as the variables `OTEL_…` say, until what it returns is called: that
 * sends the rest. What goes wrong with it is in the log, and holds nothing up.
 */
export async function startTelemetry(
  { telemetry }: Values,
  till: Till,
  logger: Logger,
): Promise<() => Promise<void>> {
  if (!telemetry) return async () => {}
  // The SDK's own is 10 s, with which it keeps a process from its end.
  process.env.OTEL_EXPORTER_OTLP_TIMEOUT ??= String(PATIENCE)
  const { NodeSDK } = await loadSdk()
  const say = (message: string) => logger.warn({}, `telemetry: ${wordsOf(message)}`)
  const nothing = () => {}
  const silent = { info: nothing, debug: nothing, verbose: nothing }
  diag.setLogger({ ...silent, error: say, warn: say }, DiagLogLevel.WARN)
  const named = process.env.OTEL_SERVICE_NAME === undefined && { serviceName: 'tillkit' }
  const sdk = new NodeSDK({ ...named, logRecordProcessors: [] })
  sdk.start()
  const instrumentation = instrumentTillkit({ till })
  return async () => {
    const late = sleep(PATIENCE, undefined, { ref: false }).then(() => {
      throw new Error(`the collector has not taken it within ${PATIENCE / 1000} s`)
    })
    await Promise.race([sdk.shutdown(), late]).catch(({ message }) =>
      say(`the last of it was not sent: ${message}`),
    )
    instrumentation.disable()
  }
}

/** Of an error, which OpenTelemetry writes as JSON with its stack, the message. */
function wordsOf(text: string): string {
  try {
    return String(JSON.parse(text).message ?? text)
  } catch {
    return text
  }
}
