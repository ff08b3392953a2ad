import { type TracingChannel, tracingChannel } from 'node:diagnostics_channel'
import type { DeliveryAttempt, DeliveryKey, DeliveryState } from '@tillkit/domain'
import type { Traced } from '@tillkit/storage/channels'

/** An attempt of a delivery: what is published on the channels of `tillkit:webhook.attempt`. */
export interface AttemptMessage extends DeliveryKey, Traced {
  /** Which till's it is, by the `name` that `createTill` was given: `live`, or `sandbox`. */
  till: string
  /** Which attempt it is, from 1, since the delivery was written or sent again. */
  number: number
  /** The trace in which the outcome was recorded, in the form of W3C's `traceparent`; null where nobody traced. */
  traceparent: string | null
  /** How it went; undefined until it is over. What is in it is the receiver's, its `answer` too. */
  attempt?: DeliveryAttempt
  /** What becomes of the delivery; undefined until that is known. */
  state?: DeliveryState
  /**
   * How it went, in a word: `delivered`; `answered` is another answer than a success, `unanswered` none, and `unasked` is what
   * could not be sent, for want of a key, say. Set once the result is written down.
   */
  result?: unknown
  /** What broke it off. */
  error?: unknown
}

/**
 * `tillkit:webhook.attempt`, a tracing channel of `node:diagnostics_channel`: from before a delivery is signed until what came of
 * it is written down.
 */
export const attemptChannel: TracingChannel<object, AttemptMessage> =
  tracingChannel('tillkit:webhook.attempt')
