import { type TracingChannel, tracingChannel } from 'node:diagnostics_channel'

/** A pool of connections as it is at the moment of reading: its fields change under whoever keeps it. */
export interface PoolFigures {
  /** Which one of the process: `tillkit`, `tillkit replica`, `tillkit migration`, `tillkit node` with a Citus node's host and port, or `tillkit watch`, by which a Citus coordinator is asked where those are. */
  readonly name: string
  /** The engine, as OpenTelemetry's `db.system.name` has it: `postgresql` or `mysql`. */
  readonly system: string
  /** How many connections it makes at most. */
  readonly max: number
  /** How many are in somebody's hands. */
  readonly used: number
  /** How many are open and lie idle; undefined where the driver does not say. */
  readonly idle: number | undefined
  /** How many callers wait for one. */
  readonly pending: number
}

/** A connection that is asked of a pool: what is published on the channels of `tillkit:storage.connection`. */
export interface ConnectionMessage {
  /** Who is asked. The same object each time, so that whoever keeps it can look again. */
  pool: PoolFigures
  /** Set once there is one. */
  result?: unknown
  /** Why there is none. */
  error?: unknown
}

/**
 * `tillkit:storage.connection`, a tracing channel of `node:diagnostics_channel`: from when a connection is asked of a pool
 * until it is there, its session set right.
 */
export const connectionChannel: TracingChannel<object, ConnectionMessage> = tracingChannel(
  'tillkit:storage.connection',
)
