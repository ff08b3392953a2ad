import {
  type Attributes,
  type Context,
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TextMapGetter,
  trace,
} from '@opentelemetry/api'
import type { RequestMessage } from '@tillkit/http'
import { failed, listen } from '../channels/listen.ts'
import { errorType } from './error-type.ts'
import { inside, type Parts, REQUEST_BOUNDS, secondsSince } from './parts.ts'

interface State {
  span: Span
  active: Context
  began: number
}

type Headers = RequestMessage['request']['headers']

const HEADERS: TextMapGetter<Headers> = {
  keys: headers => Object.keys(headers),
  get: (headers, name) => headers[name.toLowerCase()],
}

/** Those that the semantic conventions know; whatever else a client writes is one. */
const METHODS = new Set([
  'CONNECT',
  'DELETE',
  'GET',
  'HEAD',
  'OPTIONS',
  'PATCH',
  'POST',
  'PUT',
  'TRACE',
  'QUERY',
])

/** Spans of requests and `http.server.request.duration`. A span below the host's own is no second one of a server. */
export function requests({ tracer, meter }: Parts): () => void {
  const duration = meter.createHistogram('http.server.request.duration', {
    description: 'Duration of HTTP server requests.',
    unit: 's',
    advice: { explicitBucketBoundaries: REQUEST_BOUNDS },
  })

  return listen<RequestMessage, State>('tillkit:http.request', {
    begin({ request }) {
      const parent = parentOf(request.headers)
      const kind = parent.above ? SpanKind.INTERNAL : SpanKind.SERVER
      const span = tracer.startSpan(methodOf(request), { kind }, parent.context)
      return { span, active: inside(parent.context, span), began: performance.now() }
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

/** The span that there is, or what the client says. */
function parentOf(headers: Headers): { context: Context; above: boolean } {
  const active = context.active()
  if (trace.getSpan(active)) return { context: active, above: true }
  return { context: propagation.extract(active, headers, HEADERS), above: false }
}

function methodOf({ method }: RequestMessage['request']): string {
  return METHODS.has(method) ? method : 'HTTP'
}

function attributesOf(message: RequestMessage): Attributes {
  const { request, route, handler, result } = message
  const status = result?.status ?? 500
  const attributes: Attributes = {
    'http.request.method': METHODS.has(request.method) ? request.method : '_OTHER',
    'url.scheme': request.secure ? 'https' : 'http',
    'http.response.status_code': status,
    'tillkit.handler': handler,
  }
  if (route !== undefined) attributes['http.route'] = route
  if (failed(message)) attributes['error.type'] = errorType(message.error)
  else if (status >= 500) attributes['error.type'] = isNotReady(result) ? 'not_ready' : String(status)
  return attributes
}

/** A 500 that says when to ask again is no fault: a period still has a pending payment (API 4.5). */
function isNotReady(answer: RequestMessage['result']): boolean {
  return answer?.status === 500 && 'Retry-After' in answer.headers
}

/** What a span may say beside: of its values there may be as many as there are requests. */
function describe(
  span: Span,
  { request, route, path = request.path, requestId, merchantId }: RequestMessage,
  attributes: Attributes,
): void {
  if (route !== undefined) span.updateName(`${methodOf(request)} ${route}`)
  span.setAttributes(attributes)
  span.setAttribute('url.path', path)
  if (requestId !== undefined) span.setAttribute('tillkit.request.id', requestId)
  if (merchantId !== undefined) span.setAttribute('tillkit.merchant.id', merchantId)
  if (attributes['error.type'] !== undefined) span.setStatus({ code: SpanStatusCode.ERROR })
}
