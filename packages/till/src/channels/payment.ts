import { type TracingChannel, tracingChannel } from 'node:diagnostics_channel'
import type { Payment } from '@tillkit/domain'
import type { Traced } from '@tillkit/storage/channels'

/**
 * A payment that starts or gets its outcome: what is published on the channels of `tillkit:till.payment`, for each call of
 * `start`, `startOnce`, `complete` and `fail`, and for each payment that `failStale` or `reconcile` gives an outcome.
 */
export interface PaymentMessage extends Traced {
  /** Which till's it is, by the `name` that `createTill` was given: `live`, or `sandbox`. */
  till: string
  /** What is done: `complete` and `fail` are the two outcomes, whichever call records them. */
  operation: 'start' | 'complete' | 'fail'
  /** Whose payment it is; undefined until a start has found its scan code. */
  merchantId?: string | undefined
  /** The payment's id; of a start that of its result. */
  paymentId?: number | undefined
  /**
   * For whoever traces, to be written by a listener of `start`: the trace of this call, in the form of W3C's `traceparent`. It
   * is kept with the delivery that the call writes, and is in the message of each attempt of it. What is not of that form
   * is passed over.
   */
  traceparent?: string | null | undefined
  /** What came of it; of an outcome `changed` says whether this call recorded it, of a start `created` does. */
  result?: PaymentResult
  /** Why it failed: what the caller gets. */
  error?: unknown
}

/** What came of a payment's call. */
export interface PaymentResult {
  /** The payment as it is now. */
  payment: Payment
  /** Of a start: whether this call recorded it, and not one before with its `attemptKey`. */
  created?: boolean
  /** Of an outcome: whether this call recorded it. */
  changed?: boolean
}

/** `tillkit:till.payment`, a tracing channel of `node:diagnostics_channel`. */
export const paymentChannel: TracingChannel<object, PaymentMessage> = tracingChannel('tillkit:till.payment')

const TRACEPARENT = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/

/** What a listener wrote into a message; null where nobody did, or what he wrote is none. */
export function traceOf(message: PaymentMessage | undefined): string | null {
  const given: unknown = message?.traceparent
  return typeof given === 'string' && TRACEPARENT.test(given) ? given : null
}
