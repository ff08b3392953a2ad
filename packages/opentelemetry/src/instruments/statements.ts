import { type Attributes, context, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import type { StatementMessage } from '@tillkit/storage/channels'
import { failed, listen } from '../channels/listen.ts'
import { errorType } from './error-type.ts'
import { DATABASE_BOUNDS, type Parts, secondsSince } from './parts.ts'

interface State {
  span: Span | undefined
  began: number
}

/**
 * `db.client.operation.duration`, and spans of the statements that are part of something: of what the worker asks each second
 * there are none.
 */
export function statements({ tracer, meter }: Parts): () => void {
  const duration = meter.createHistogram('db.client.operation.duration', {
    description: 'Duration of database client operations.',
    unit: 's',
    advice: { explicitBucketBoundaries: DATABASE_BOUNDS },
  })

  return listen<StatementMessage, State>('tillkit:storage.statement', {
    begin({ name, system }) {
      const active = context.active()
      const span = trace.getSpan(active)?.isRecording()
        ? tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes: attributesOf(system, name) }, active)
        : undefined
      return { span, began: performance.now() }
    },
    end(message, { span, began }) {
      const { system, name } = message
      // The summary alone: an SDK sorts and joins all attributes at each measurement.
      const attributes: Attributes = { 'db.system.name': system, 'db.query.summary': name }
      if (failed(message)) attributes['error.type'] = errorType(message.error)
      duration.record(secondsSince(began), attributes)
      if (span === undefined) return
      if (failed(message)) {
        span.setAttribute('error.type', errorType(message.error))
        span.setStatus({ code: SpanStatusCode.ERROR })
      }
      span.end()
    },
  })
}

/** One verb and one table have names of their own; of more there is the summary alone. */
function attributesOf(system: string, name: string): Record<string, string> {
  const [operation = name, collection, more] = name.split(' ', 3)
  const attributes: Record<string, string> = { 'db.system.name': system, 'db.query.summary': name }
  if (more === undefined) attributes['db.operation.name'] = operation
  if (more === undefined && collection !== undefined) attributes['db.collection.name'] = collection
  return attributes
}
