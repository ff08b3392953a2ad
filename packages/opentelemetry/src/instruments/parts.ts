import {
  type Context,
  isSpanContextValid,
  type Meter,
  type Span,
  type Tracer,
  trace,
} from '@opentelemetry/api'

/** What spans and measurements are made with. */
export interface Parts {
  tracer: Tracer
  meter: Meter
}

/** The bounds of the buckets of durations in seconds, as the semantic conventions have them for requests. */
export const REQUEST_BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]

/** The same for what a database does. */
export const DATABASE_BOUNDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10]

/** The same for what a receiver may take 15 s for. */
export const DELIVERY_BOUNDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 7.5, 10, 15]

/** How many seconds have passed since then, by `performance.now()`. */
export function secondsSince(began: number): number {
  return (performance.now() - began) / 1000
}

/** The context of what a span is about: that around it where nobody traces, since such a span is nobody's parent. */
export function inside(around: Context, span: Span): Context {
  return isSpanContextValid(span.spanContext()) ? trace.setSpan(around, span) : around
}
