import { context, type Span, SpanStatusCode, trace } from '@opentelemetry/api'
import type { TurnMessage } from '@tillkit/storage/channels'
import { failed, listen } from '../channels/listen.ts'
import { errorType } from './error-type.ts'
import { DATABASE_BOUNDS, type Parts, secondsSince } from './parts.ts'

interface State {
  span: Span | undefined
  began: number
}

/** `tillkit.storage.turn.wait` of writes that have to wait for others of their merchant, and spans where they are part of something. */
export function turns({ tracer, meter }: Parts): () => void {
  const wait = meter.createHistogram('tillkit.storage.turn.wait', {
    description:
      'How long writes wait for other writes of their merchant, of those that have to wait at all.',
    unit: 's',
    advice: { explicitBucketBoundaries: DATABASE_BOUNDS },
  })

  return listen<TurnMessage, State>('tillkit:storage.turn', {
    begin() {
      const active = context.active()
      const isPart = trace.getSpan(active)?.isRecording()
      return {
        span: isPart ? tracer.startSpan('tillkit.storage wait for turn', {}, active) : undefined,
        began: performance.now(),
      }
    },
    end(message, { span, began }) {
      const attributes: Record<string, string> = { 'tillkit.storage.locks': message.locks }
      if (failed(message)) attributes['error.type'] = errorType(message.error)
      wait.record(secondsSince(began), attributes)
      if (failed(message)) span?.setStatus({ code: SpanStatusCode.ERROR })
      span?.setAttributes(attributes).end()
    },
  })
}
