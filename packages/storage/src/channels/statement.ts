import { type TracingChannel, tracingChannel } from 'node:diagnostics_channel'

/** A statement that a store sends to its database: what is published on the channels of `tillkit:storage.statement`. */
export interface StatementMessage {
  /** The engine, as OpenTelemetry's `db.system.name` has it: `postgresql`, `mysql` (MariaDB too) or `sqlite`. */
  system: string
  /**
   * What it does, in a few words of which there are few: `SELECT tillkit_payments`, or, where it writes, what it writes:
   * `UPDATE tillkit_ledgers INSERT tillkit_payments`. No value is ever part of it.
   */
  name: string
  /** What its driver answered; undefined until then, and where it failed. */
  result?: unknown
  /** Why it failed. */
  error?: unknown
}

/**
 * `tillkit:storage.statement`, a tracing channel of `node:diagnostics_channel`: from when a statement is handed to the
 * driver until it is answered. `BEGIN` and `COMMIT` of the store's own transactions are statements too.
 */
export const statementChannel: TracingChannel<object, StatementMessage> =
  tracingChannel('tillkit:storage.statement')
