import type { HttpRequest } from '@tillkit/http'

/**
 * Whether a form was sent from a page of this origin. Another site must not be able to press the button in a customer's
 * name: their cookies may be what the host charges by. Browsers say where a request comes from; what says nothing is none,
 * and then there are no cookies of a customer to misuse.
 */
export function isOwnOrigin({ headers }: HttpRequest, qrBaseUrl: string): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  return headers.origin === undefined || headers.origin === new URL(qrBaseUrl).origin
}
