import { type Context, context, type Span, SpanStatusCode } from '@opentelemetry/api'
import type { PaymentMessage } from '@tillkit/till'
import { failed, listen } from '../channels/listen.ts'
import { errorType } from './error-type.ts'
import { DATABASE_BOUNDS, inside, type Parts, secondsSince } from './parts.ts'
import { traceparentOf } from './traceparent.ts'

interface State {
  span: Span
  active: Context
  began: number
}

/** Why payments fail, as far as it is Tillkit that says so; what a host says may be anything. */
const REASONS = new Set(['reference_taken', 'amount_too_low', 'stale'])

/** Spans of starts and outcomes, and `tillkit.payment.…`. The trace of an outcome goes with its delivery where it is sampled. */
export function payments({ tracer, meter }: Parts): () => void {
  const duration = meter.createHistogram('tillkit.payment.operation.duration', {
    description: 'How long starts and outcomes of payments take, those that fail too.',
    unit: 's',
    advice: { explicitBucketBoundaries: DATABASE_BOUNDS },
  })
  const starts = meter.createCounter('tillkit.payment.starts', {
    description: 'Payments that were recorded, by the status they began with.',
    unit: '{payment}',
  })
  const outcomes = meter.createCounter('tillkit.payment.outcomes', {
    description: 'Payments that got their outcome, by that outcome.',
    unit: '{payment}',
  })
  const takings = meter.createCounter('tillkit.payment.takings', {
    description: 'The amounts of payments that completed, tips included, in cents.',
    unit: '{cent}',
  })

  const count = ({ till, operation, result }: PaymentMessage) => {
    const { payment, created, changed } = result ?? {}
    if (payment === undefined || !(created || changed)) return
    const { status, failure, totalAmount } = payment
    const attributes = { 'tillkit.till': till, 'tillkit.payment.status': status }
    if (operation === 'start') starts.add(1, attributes)
    if (status === 'pending') return
    outcomes.add(
      1,
      status === 'error' ? { ...attributes, 'tillkit.payment.failure': reasonOf(failure) } : attributes,
    )
    if (status === 'completed') takings.add(totalAmount, { 'tillkit.till': till })
  }

  return listen<PaymentMessage, State>('tillkit:till.payment', {
    begin(message) {
      const parent = context.active()
      const span = tracer.startSpan(`tillkit.payment ${message.operation}`, {}, parent)
      message.traceparent ??= traceparentOf(span.spanContext())
      return { span, active: inside(parent, span), began: performance.now() }
    },
    within: ({ active }) => active,
    end(message, { span, began }) {
      const operation = { 'tillkit.till': message.till, 'tillkit.payment.operation': message.operation }
      const attributes = failed(message)
        ? { ...operation, 'error.type': errorType(message.error) }
        : operation
      duration.record(secondsSince(began), attributes)
      count(message)
      if (span.isRecording()) describe(span, message)
      span.end()
    },
  })
}

function reasonOf(failure: string | null): string {
  if (failure === null) return 'none'
  return REASONS.has(failure) ? failure : 'other'
}

function describe(span: Span, message: PaymentMessage): void {
  const { till, operation, result } = message
  span.setAttributes({ 'tillkit.till': till, 'tillkit.payment.operation': operation })
  const merchantId = result?.payment.merchantId ?? message.merchantId
  const paymentId = result?.payment.id ?? message.paymentId
  if (merchantId !== undefined) span.setAttribute('tillkit.merchant.id', merchantId)
  if (paymentId !== undefined) span.setAttribute('tillkit.payment.id', paymentId)
  if (result !== undefined) span.setAttribute('tillkit.payment.status', result.payment.status)
  if (!failed(message)) return
  span.setAttribute('error.type', errorType(message.error))
  span.setStatus({ code: SpanStatusCode.ERROR })
}
