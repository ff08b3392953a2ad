import type { HttpRequest } from '@tillkit/http'

/**
 * Whether a form was sent from a page of this origin. Browsers say so on every request that is not plain HTTP; over plain
 * HTTP, for local work, by the `Origin`. What says neither is refused: no browser sends a form like that.
 */
export function isOwnOrigin({ headers }: Pick<HttpRequest, 'headers'>): boolean {
  const { origin, host } = headers
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host === host
}
