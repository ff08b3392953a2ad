import { type HttpHandler, json } from '@tillkit/http'

/** Answers with what it got, as JSON. */
export const echo: HttpHandler = async ({ method, path, query, headers, secure, remoteAddress }) =>
  json(200, { method, path, query, headers, secure, remoteAddress })
