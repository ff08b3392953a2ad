import type { HttpRequest } from '@tillkit/http'
import type { Fault } from './of-forms.ts'
import { type Around, changed, error, instead, misheard, rewrite, withoutHeader } from './plant.ts'

/** Requests without a good key get another status than 401. */
const refusedWith = (status: number): Around =>
  changed(response => {
    if (response.status === 401) response.status = status
  })

/** Keys that differ in the case of their letters are one. */
const keysWhateverTheirCase: Around = handler => {
  let known = ''
  const decoded = (authorization = '') => Buffer.from(authorization.slice(6), 'base64').toString()
  return async request => {
    const { authorization } = request.headers
    const isKnown = decoded(authorization).toLowerCase() === decoded(known).toLowerCase()
    const response = await misheard(({ headers }) => ({
      headers: isKnown && known !== '' ? { ...headers, authorization: known } : headers,
    }))(handler)(request)
    if (response.status === 200 && authorization) known ||= authorization
    return response
  }
}

/** Answers that are a page of HTML where something is wrong. */
const asPage = (when: (request: HttpRequest) => boolean): Around =>
  changed((response, request) => {
    if (response.status < 400 || response.status === 401 || !when(request)) return
    response.body = '<!doctype html><title>Not found</title>'
    response.headers['Content-Type'] = 'text/html; charset=utf-8'
    response.headers['Content-Length'] = String(response.body.length)
  })

const accepts = (type: string) => (request: HttpRequest) => (request.headers.accept ?? '').includes(type)

/** Faults of access, forms and paths that frameworks, databases and their users bring along. */
export const ofAccess: Fault[] = [
  [
    'the scheme “basic” in small letters is refused',
    'credentials',
    {
      api: instead(
        ({ headers }) => /^basic /.test(headers.authorization ?? ''),
        () => error(401, 'unauthorised', { 'WWW-Authenticate': 'Basic' }),
      ),
    },
  ],
  ['a wrong key is 403', 'credentials', { api: refusedWith(403) }],
  ['keys whatever their case', 'credentials', { api: keysWhateverTheirCase }],
  [
    'spaces around the key are cut off',
    'credentials',
    {
      api: misheard(({ headers }) => {
        const pair = Buffer.from(headers.authorization?.slice(6) ?? '', 'base64').toString()
        const authorization = pair.includes(' ')
          ? `Basic ${btoa(pair.replaceAll(' ', ''))}`
          : headers.authorization
        return { headers: { ...headers, authorization } }
      }),
    },
  ],
  ['errors are pages of HTML', 'json', { api: asPage(() => true) }],
  ['errors are pages for who takes HTML', 'other-headers', { api: asPage(accepts('text/html')) }],
  [
    'who takes XML gets 406',
    'other-headers',
    { api: instead(accepts('application/xml'), () => error(406, 'invalid_parameter')) },
  ],
  [
    'dates in the language that is asked for',
    'other-headers',
    {
      api: changed((response, { headers }) => {
        if (headers['accept-language'] === undefined || response.status !== 200) return
        const local = (one: object) => ({ ...one, date: '20.11.2026 09:30' })
        rewrite(response, body => (Array.isArray(body) ? body.map(local) : local(body as object)))
      }),
    },
  ],
  [
    'a byte order mark before the JSON',
    'json',
    {
      api: changed(response => {
        if (typeof response.body !== 'string' || response.body === '') return
        response.body = `\uFEFF${response.body}`
        response.headers['Content-Length'] = String(Buffer.byteLength(response.body))
      }),
    },
  ],
  [
    'wrong parameters are 422',
    'invalid-parameters',
    {
      api: changed(response => {
        if (response.status === 400) response.status = 422
      }),
    },
  ],
  [
    'paths may end in .json',
    'unknown-paths',
    { api: misheard(({ path }) => ({ path: path.replace(/\.json$/, '') })) },
  ],
  [
    'cash-ups are cash_ups',
    'unknown-paths',
    { api: misheard(({ path }) => ({ path: path.replace('cash-ups', 'cash_ups') })) },
  ],
  [
    'a slash at the end leads elsewhere',
    'slashes-and-heads',
    {
      api: handler => async request => {
        if (!/.\/$/.test(request.path)) return handler(request)
        return { status: 301, headers: { Location: `/v1${request.path.slice(0, -1)}` }, body: null }
      },
    },
  ],
  [
    'HEAD has no total',
    'slashes-and-heads',
    {
      api: changed((response, { method }) => {
        if (method === 'HEAD') delete response.headers['X-Total']
      }),
    },
  ],
  [
    'scripts may read headers of success alone',
    'expose-headers',
    { api: withoutHeader('Access-Control-Expose-Headers', status => status >= 400) },
  ],
  ['preflights say not for how long', 'preflights', { api: withoutHeader('Access-Control-Max-Age') }],
  [
    'preflights are 200 with a body',
    'preflights',
    {
      api: changed((response, { method }) => {
        if (method === 'OPTIONS' && response.status === 204)
          return {
            ...response,
            status: 200,
            body: 'ok',
            headers: { ...response.headers, 'Content-Length': '2' },
          }
      }),
    },
  ],
  [
    'Retry-After as a date',
    'retry-after',
    {
      api: changed(({ headers }) => {
        if (headers['Retry-After']) headers['Retry-After'] = new Date().toUTCString()
      }),
    },
  ],
  [
    'request ids are cut to 64 characters',
    'request-id',
    {
      api: changed(({ headers }) => {
        if (headers['X-Request-Id']) headers['X-Request-Id'] = headers['X-Request-Id'].slice(0, 64)
      }),
    },
  ],
]
