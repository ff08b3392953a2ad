import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { HttpRequest } from '@tillkit/http'

/** What makes a browser's forms its own. */
export interface FormKey {
  /** Stands in each form. */
  token: string
  /** The `Set-Cookie` that the token is checked with; null where the browser has it. */
  cookie: string | null
  /** Whether `token` came from a form that this browser was shown, by this operator. */
  accepts(token: string | null): boolean
}

/**
 * The token of a form is a MAC of the operator's name under a random value that the browser keeps in a cookie, so that every
 * process can check it and none shares a secret. Nobody else can read the cookie, nor the page; and none of the host's
 * sibling domains can set it (`__Host-`).
 */
export function formKey({ headers, secure }: Pick<HttpRequest, 'headers' | 'secure'>, name: string): FormKey {
  const cookieName = secure ? '__Host-tillkit-console' : 'tillkit-console'
  const [, shown] =
    new RegExp(`(?:^|;) *${cookieName}=([A-Za-z0-9_-]{22}) *(?:;|$)`).exec(headers.cookie ?? '') ?? []
  const secret = shown ?? randomBytes(16).toString('base64url')
  const token = createHmac('sha256', secret).update(`form\0${name}`).digest('base64url')
  return {
    token,
    cookie:
      shown === undefined
        ? `${cookieName}=${secret}; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
        : null,
    accepts: given => shown !== undefined && given !== null && same(given, token),
  }
}

function same(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
