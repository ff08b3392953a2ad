import { type TracingChannel, tracingChannel } from 'node:diagnostics_channel'

/** A write that waits for its merchant's turn in this process: what is published on the channels of `tillkit:storage.turn`. */
export interface TurnMessage {
  /** Whose writes it waits for; undefined where it is no one merchant's, as a statement for many is, and waits for a connection. */
  merchantId: string | undefined
  /** What it takes: the merchant's own lock, as starts do, or rows of its own, as outcomes do. */
  locks: 'merchant' | 'rows'
  /** Set once it is its turn. */
  result?: unknown
  /** That the turn did not come in time. */
  error?: unknown
}

/**
 * `tillkit:storage.turn`, a tracing channel of `node:diagnostics_channel`: from when a write has to wait for other writes
 * until it is its turn. One that need not wait is not told of.
 */
export const turnChannel: TracingChannel<object, TurnMessage> = tracingChannel('tillkit:storage.turn')
