import type { Between } from '../scene.ts'
import { changed, error, isList, misheard, rewrite, withHeader, withoutHeader } from './plant.ts'

/** A fault, and the check or rule that has to find it. */
export type Fault = [what: string, found: string, between: Between, options?: { destructive?: boolean }]

/** Faults of what every answer has. */
export const ofForms: Fault[] = [
  ['JSON with white space', 'json', { api: changed(response => spaced(response)) }],
  ['another content type', 'json', { api: withHeader('Content-Type', 'text/json') }],
  ['a content type without charset', 'json', { api: withHeader('Content-Type', 'application/json') }],
  ['no Content-Length', 'content-length', { api: withoutHeader('Content-Length') }],
  ['answers may be stored', 'no-store', { api: withHeader('Cache-Control', 'private') }],
  ['a cookie', 'no-cookies', { api: withHeader('Set-Cookie', 'id=1') }],
  [
    'no CORS on errors',
    'allow-origin',
    { api: withoutHeader('Access-Control-Allow-Origin', status => status >= 400) },
  ],
  [
    'no CORS on 404 alone',
    'allow-origin',
    { api: withoutHeader('Access-Control-Allow-Origin', status => status === 404) },
  ],
  [
    'X-Total cannot be read by scripts',
    'expose-headers',
    {
      api: changed(({ headers }) => {
        const exposed = headers['Access-Control-Expose-Headers']
        if (exposed) headers['Access-Control-Expose-Headers'] = exposed.replace('X-Total, ', '')
      }),
    },
  ],
  [
    'preflights want a key',
    'preflights',
    { api: misheard(({ method, headers }) => ({ headers: method === 'OPTIONS' ? {} : headers })) },
  ],
  [
    'preflights without POST',
    'preflights',
    {
      api: changed(({ headers }) => {
        if (headers['Access-Control-Allow-Methods']) headers['Access-Control-Allow-Methods'] = 'GET, HEAD'
      }),
    },
  ],
  [
    'request ids are not echoed',
    'request-id',
    {
      api: misheard(({ headers }) => ({ headers: { ...headers, 'x-request-id': undefined } })),
    },
  ],
  [
    'request ids that are not fit come back',
    'request-id',
    {
      api: changed((response, { headers }) => {
        if (headers['x-request-id']) response.headers['X-Request-Id'] = headers['x-request-id']
      }),
    },
  ],
  [
    'one request id for all',
    'request-id',
    {
      api: changed((response, { headers }) => {
        if (!headers['x-request-id']) response.headers['X-Request-Id'] = 'always'
      }),
    },
  ],
  [
    'errors without a code',
    'error-object',
    {
      api: changed(response => {
        if (response.status >= 400)
          rewrite(response, body => ({ message: (body as { message: string }).message }))
      }),
    },
  ],
  [
    'errors without a message',
    'error-object',
    {
      api: changed(response => {
        if (response.status === 404) rewrite(response, body => ({ ...(body as object), message: undefined }))
      }),
    },
  ],
  [
    '404 with the code of 400',
    'error-object',
    {
      api: changed(response => {
        if (response.status === 404)
          rewrite(response, body => ({ ...(body as object), code: 'invalid_parameter' }))
      }),
    },
  ],
  ['401 without WWW-Authenticate', 'unauthorised', { api: withoutHeader('WWW-Authenticate') }],
  ['405 without Allow', 'allow', { api: withoutHeader('Allow') }],
  [
    'Allow without HEAD',
    'allow',
    {
      api: changed(({ headers }) => {
        if (headers.Allow) headers.Allow = headers.Allow.replace(', HEAD', '')
      }),
    },
  ],
  ['not ready without Retry-After', 'retry-after', { api: withoutHeader('Retry-After') }],
  [
    'HEAD with a body',
    'head-without-body',
    {
      listener: listener => (request, response) => {
        if (request.method === 'HEAD') {
          // What keeps a server from writing a body after such a head.
          Object.assign(response, { _hasBody: true })
          const end = response.end.bind(response)
          response.end = () => end('[]')
        }
        listener(request, response)
      },
    },
  ],
  [
    'HEAD is 405',
    'slashes-and-heads',
    {
      api: handler => async request =>
        request.method === 'HEAD' && (await handler(request)).status !== 401
          ? error(405, 'method_not_allowed', { Allow: 'GET, HEAD' })
          : handler(request),
    },
  ],
  [
    'a slash at the end is 404',
    'slashes-and-heads',
    { api: misheard(({ path }) => ({ path: /.\/$/.test(path) ? '/nowhere' : path })) },
  ],
  [
    '404 before 401',
    'authentication-first',
    {
      api: handler => async request => {
        const known = isList(request) || /^\/payments\/\d+$/.test(request.path)
        return known || request.headers.authorization ? handler(request) : error(404, 'not_found')
      },
    },
  ],
  [
    '405 before 401',
    'authentication-first',
    {
      api: handler => async request =>
        request.method === 'DELETE' && !request.headers.authorization
          ? error(405, 'method_not_allowed', { Allow: 'GET, HEAD' })
          : handler(request),
    },
  ],
  [
    '400 before 401',
    'authentication-first',
    {
      api: handler => async request =>
        request.query === 'page=0' && !request.headers.authorization
          ? error(400, 'invalid_parameter')
          : handler(request),
    },
  ],
  [
    'a password is fine',
    'credentials',
    {
      api: misheard(({ headers }) => {
        const pair = Buffer.from(headers.authorization?.slice(6) ?? '', 'base64').toString()
        const key = /^(tk_[^:]+):.+$/.exec(pair)?.[1]
        const authorization = key ? `Basic ${btoa(`${key}:`)}` : headers.authorization
        return { headers: { ...headers, authorization } }
      }),
    },
  ],
  [
    'the key as a bearer token is fine',
    'credentials',
    {
      api: misheard(({ headers }) => {
        const key = /^Bearer (.*)$/.exec(headers.authorization ?? '')?.[1]
        return {
          headers: { ...headers, authorization: key ? `Basic ${btoa(`${key}:`)}` : headers.authorization },
        }
      }),
    },
  ],
  [
    '405 for an unknown path',
    'unknown-paths',
    {
      api: handler => async request =>
        request.method === 'POST' && request.path === '/nowhere' && request.headers.authorization
          ? error(405, 'method_not_allowed', { Allow: 'GET, HEAD' })
          : handler(request),
    },
  ],
  [
    'another method is 404',
    'other-methods',
    {
      api: changed(({ status }) => (status === 405 ? error(404, 'not_found') : undefined)),
    },
  ],
  [
    'paths whatever their case',
    'unknown-paths',
    {
      api: misheard(({ path }) => ({ path: path === '/Payments' ? '/payments' : path })),
    },
  ],
  [
    'unknown parameters are refused',
    'unknown-parameters',
    {
      api: handler => async request => {
        const response = await handler(request)
        return /foo/.test(request.query) && response.status === 200
          ? error(400, 'invalid_parameter')
          : response
      },
    },
  ],
  [
    'any number of parameters',
    'sizes',
    {
      api: misheard(({ query }) => ({ query: query.split('&').slice(0, 50).join('&') })),
    },
  ],
]

function spaced(response: { body: unknown; headers: Record<string, string> }): undefined {
  if (typeof response.body !== 'string') return
  response.body = JSON.stringify(JSON.parse(response.body), null, 1)
  response.headers['Content-Length'] = String(Buffer.byteLength(response.body as string))
}
