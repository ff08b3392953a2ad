import { type SpanContext, TraceFlags } from '@opentelemetry/api'

/** A span as W3C's `traceparent` names it; null for one that nobody keeps, so that it is not written either. */
export function traceparentOf({ traceId, spanId, traceFlags }: SpanContext): string | null {
  if ((traceFlags & TraceFlags.SAMPLED) === 0) return null
  return `00-${traceId}-${spanId}-01`
}

const FORM = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/
const NONE = /^0+$/

/** The span that a `traceparent` names; null where it names none. */
export function spanContextOf(traceparent: string | null): SpanContext | null {
  const [, traceId = '', spanId = '', flags = ''] = FORM.exec(traceparent ?? '') ?? []
  if (traceId === '' || NONE.test(traceId) || NONE.test(spanId)) return null
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true }
}
