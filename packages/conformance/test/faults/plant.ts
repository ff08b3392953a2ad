import type { HttpHandler, HttpRequest, HttpResponse } from '@tillkit/http'

type Change = (response: HttpResponse, request: HttpRequest) => HttpResponse | undefined

/** A handler whose answers are changed. */
export function changed(change: Change): (handler: HttpHandler) => HttpHandler {
  return handler => async request => {
    const response = await handler(request)
    const copy = { ...response, headers: { ...response.headers } }
    return change(copy, request) ?? copy
  }
}

/** A handler that hears another question than was asked. */
export function misheard(
  hear: (request: HttpRequest) => Partial<HttpRequest>,
): (handler: HttpHandler) => HttpHandler {
  return handler => request => handler(plain(request, hear(request)))
}

/** A request with something else in it: those of servers show what they have by getters. */
function plain(request: HttpRequest, changes: Partial<HttpRequest>): HttpRequest {
  const { method, path, query, headers, secure, remoteAddress } = request
  const body = (limits?: Parameters<HttpRequest['body']>[0]) => request.body(limits)
  return { method, path, query, headers, secure, remoteAddress, body, ...changes }
}

type Json = Record<string, unknown>

/** Changes each payment that is shown, of lists and alone. */
export function eachPayment(change: (payment: Json, request: HttpRequest) => Json | undefined) {
  return changed((response, request) => {
    if (response.status !== 200 || !request.path.startsWith('/payments')) return
    const shown = (payment: Json) => change(payment, request) ?? payment
    rewrite(response, body => (Array.isArray(body) ? body.map(shown) : shown(body as Json)))
  })
}

/** Changes each list of payments. */
export function eachList(change: (payments: Json[], request: HttpRequest) => Json[]) {
  return changed((response, request) => {
    if (response.status !== 200 || !isList(request)) return
    rewrite(response, body => (Array.isArray(body) ? change(body, request) : body))
  })
}

/** Puts other JSON into a response, with its length. */
export function rewrite(response: HttpResponse, change: (body: unknown) => unknown): void {
  if (typeof response.body !== 'string' || response.body === '') return
  response.body = JSON.stringify(change(JSON.parse(response.body)))
  response.headers['Content-Length'] = String(Buffer.byteLength(response.body))
}

/** Makes of a response a page of nothing. */
export function answerEmpty(response: HttpResponse, page: number): void {
  response.status = 200
  rewrite(response, () => [])
  for (const name of ['X-Total', 'X-Total-Pages', 'X-Offset']) response.headers[name] = '0'
  Object.assign(response.headers, { 'X-Page': `${page}`, 'X-Per-Page': '50' })
}

export function isList({ path }: HttpRequest): boolean {
  return /^\/(payments|cash_ups|payments\/cash_ups\/[^/]+)\/?$/.test(path)
}

/** An error as the API has them. */
export function error(
  status: number,
  code: string,
  headers: Record<string, string> = {},
  message = 'Something',
): HttpResponse {
  const body = JSON.stringify({ message, code })
  return {
    status,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': String(Buffer.byteLength(body)),
      'Cache-Control': 'no-store',
      'Access-Control-Allow-Origin': '*',
      ...headers,
    },
    body,
  }
}

/** A handler whose answers have another value of a header. */
export function withHeader(name: string, value: string) {
  return changed(({ headers }) => {
    headers[name] = value
  })
}

/** A handler whose answers, those of some statuses, are without a header. */
export function withoutHeader(name: string, when: (status: number) => boolean = () => true) {
  return changed(({ status, headers }) => {
    if (when(status)) delete headers[name]
  })
}

/** A handler that speaks other words than the contract's: in paths, queries and JSON. */
export function underWords(words: Record<string, string>): (handler: HttpHandler) => HttpHandler {
  const theirs = (one: Json) =>
    Object.fromEntries(Object.entries(one).map(([name, value]) => [words[name] ?? name, value]))
  const ours = (text: string) =>
    Object.entries(words).reduce(
      (text, [our, their]) => text.replace(new RegExp(`\\b${their}\\b`), our),
      text,
    )
  return handler => async request => {
    const response = await handler(plain(request, { path: ours(request.path), query: ours(request.query) }))
    const copy = { ...response, headers: { ...response.headers } }
    rewrite(copy, body => (Array.isArray(body) ? body.map(theirs) : theirs(body as Json)))
    return copy
  }
}

/** A handler that hears another query. */
export function hears(change: (query: string) => string): (handler: HttpHandler) => HttpHandler {
  return misheard(({ query }) => ({ query: change(query) }))
}

/** A handler that hears a date so much later. */
export function moved(name: string, milliseconds: number): (handler: HttpHandler) => HttpHandler {
  return hears(query => {
    const parameters = new URLSearchParams(query.replaceAll('+', '%2B'))
    const date = Date.parse(parameters.get(name) ?? '')
    if (Number.isNaN(date)) return query
    parameters.set(name, new Date(date + milliseconds).toISOString())
    return parameters.toString()
  })
}

/** Stands around a handler. */
export type Around = (handler: HttpHandler) => HttpHandler

/** Another answer to what is asked in some way. */
export const instead = (
  when: (request: HttpRequest) => boolean,
  answer: () => ReturnType<typeof error>,
): Around => {
  return handler => async request => (when(request) ? answer() : handler(request))
}
