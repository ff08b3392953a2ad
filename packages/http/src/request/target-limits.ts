import type { HttpRequest } from '../handler.ts'
import { RequestError } from './request-error.ts'

/** The longest query that is read, and as much for a path: 8 KiB. */
export const MAX_QUERY_BYTES = 8 * 1024

/** The most `name=value` in a query that is read, empty ones included. */
export const MAX_QUERY_PAIRS = 100

/**
 * Refuses an address that would cost too much to read, before it is: for whatever decodes a path or a query. Throws
 * `RequestError` (`invalid_input`): 414 too long, 400 too many parameters.
 */
export function checkTarget({ path, query }: Pick<HttpRequest, 'path' | 'query'>): void {
  if (query.length > MAX_QUERY_BYTES) {
    throw new RequestError(414, `the query must not be longer than ${MAX_QUERY_BYTES} bytes`)
  }
  if (path.length > MAX_QUERY_BYTES) {
    throw new RequestError(414, `the path must not be longer than ${MAX_QUERY_BYTES} bytes`)
  }
  if (query.length < MAX_QUERY_PAIRS) return
  let pairs = 1
  for (let at = query.indexOf('&'); at >= 0; at = query.indexOf('&', at + 1)) pairs++
  if (pairs > MAX_QUERY_PAIRS) {
    throw new RequestError(400, `the query must not have more than ${MAX_QUERY_PAIRS} parameters`)
  }
}
