import type { HttpRequest } from '@tillkit/http'

/**
 * Whether a form was sent from a page of this origin. Another site must not be able to press the button in a customer's
 * name: their cookies may be what the host charges by. Browsers say where a request comes from (`none` is the customer's own
 * doing); what says nothing is no browser of today, and has no cookies to misuse.
 */
export function isOwnOrigin({ headers }: HttpRequest, qrBaseUrl: string): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  const { origin, host } = headers
  if (origin === undefined || origin === new URL(qrBaseUrl).origin) return true
  // Over plain HTTP, for local work, browsers say no more than this.
  return URL.canParse(origin) && new URL(origin).host === host
}
