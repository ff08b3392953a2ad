import { randomBytes } from 'node:crypto'
import type { HttpRequest } from '@tillkit/http'

/** A browser, told from all others by a random value that it keeps in a cookie. */
export interface Visitor {
  /** 128 random bits in base64url: the browser's own, or new ones where it showed none. */
  secret: string
  /** Whether the browser showed it. */
  known: boolean
  /** The `Set-Cookie` that makes it keep the secret, or keep it for longer. */
  cookie: string
}

/** For so many days a browser that paid can see its results again. */
export const KEPT_DAYS = 30
const KEPT_SECONDS = KEPT_DAYS * 24 * 60 * 60

/**
 * Who sent a request. The cookie goes to this host alone (`__Host-`: no other of the domain can set it), to no script and with
 * no request that another site makes in the customer's name.
 */
export function visitorOf({ headers, secure }: Pick<HttpRequest, 'headers' | 'secure'>): Visitor {
  const name = secure ? '__Host-tillkit-visitor' : 'tillkit-visitor'
  const [, shown] =
    new RegExp(`(?:^|;) *${name}=([A-Za-z0-9_-]{22}) *(?:;|$)`).exec(headers.cookie ?? '') ?? []
  const secret = shown ?? randomBytes(16).toString('base64url')
  const guards = `Path=/; Max-Age=${KEPT_SECONDS}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
  return { secret, known: shown !== undefined, cookie: `${name}=${secret}; ${guards}` }
}
