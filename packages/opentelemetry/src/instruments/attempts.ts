import {
  type Context,
  context,
  type Link,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
} from '@opentelemetry/api'
import type { AttemptMessage } from '@tillkit/till'
import { failed, listen } from '../channels/listen.ts'
import { errorType } from './error-type.ts'
import { DELIVERY_BOUNDS, inside, type Parts, secondsSince } from './parts.ts'
import { spanContextOf } from './traceparent.ts'

interface State {
  span: Span
  active: Context
  began: number
}

/**
 * Spans of attempts and `tillkit.delivery.attempt.duration`. An attempt has a trace of its own, since there may be eight of
 * them in a day, with a link to the outcome that it tells of.
 */
export function attempts({ tracer, meter }: Parts): () => void {
  const duration = meter.createHistogram('tillkit.delivery.attempt.duration', {
    description: 'How long attempts of deliveries take, their results written, by how they went.',
    unit: 's',
    advice: { explicitBucketBoundaries: DELIVERY_BOUNDS },
  })

  return listen<AttemptMessage, State>('tillkit:webhook.attempt', {
    begin({ merchantId, paymentId, number, traceparent }) {
      const outcome = spanContextOf(traceparent)
      const links: Link[] = outcome === null ? [] : [{ context: outcome }]
      const attributes = {
        'tillkit.merchant.id': merchantId,
        'tillkit.payment.id': paymentId,
        'tillkit.delivery.attempt': number,
      }
      const options = { kind: SpanKind.CLIENT, root: true, links, attributes }
      const span = tracer.startSpan('tillkit.delivery attempt', options, ROOT_CONTEXT)
      return { span, active: inside(context.active(), span), began: performance.now() }
    },
    within: ({ active }) => active,
    end(message, { span, began }) {
      const attributes = attributesOf(message)
      duration.record(secondsSince(began), attributes)
      if (span.isRecording()) describe(span, message, attributes)
      span.end()
    },
  })
}

/** Of the answer its class: a receiver may answer any number. */
function attributesOf(message: AttemptMessage): Record<string, string> {
  const { till, result, state = 'unknown', attempt } = message
  const outcome = typeof result === 'string' ? result : 'broken_off'
  const attributes: Record<string, string> = {
    'tillkit.till': till,
    'tillkit.delivery.outcome': outcome,
    'tillkit.delivery.state': state,
  }
  if (attempt?.status) attributes['tillkit.delivery.status_class'] = `${Math.floor(attempt.status / 100)}xx`
  if (failed(message)) attributes['error.type'] = errorType(message.error)
  return attributes
}

function describe(span: Span, { attempt }: AttemptMessage, attributes: Record<string, string>): void {
  span.setAttributes(attributes)
  if (attempt?.status) span.setAttribute('http.response.status_code', attempt.status)
  if (attributes['tillkit.delivery.outcome'] === 'delivered') return
  span.setStatus({ code: SpanStatusCode.ERROR, message: attempt?.error ?? undefined })
}
