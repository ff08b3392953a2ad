/**
 * Traces and metrics of Tillkit by OpenTelemetry: what its packages publish on `node:diagnostics_channel`, as spans and
 * measurements of whatever SDK the host has.
 *
 * @packageDocumentation
 */
export { type Instrumentation, instrumentTillkit } from './instrument-tillkit.ts'
export type { InstrumentOptions, WatchedTill } from './options.ts'
