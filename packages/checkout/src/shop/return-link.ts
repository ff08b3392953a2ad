import { z } from 'zod'

/** The name of the parameter of a payment URL that leads back to the shop. It is passed on in `extra`, as any other. */
export const RETURN_PARAMETER = 'returnUrl'

/** A longer address is no shop's. */
const MOST_LETTERS = 2048

/** What may be trusted of where customers are sent back to. */
export interface ReturnRules {
  /** Origins that the host knows. */
  origins: readonly string[]
  /** Whether the payment URL was signed, and so this part of it, by somebody whom the host gave a key. */
  signed: boolean
  /** Whether plain HTTP will do, for local work. */
  http: boolean
}

/** The schema of an origin that customers may be sent back to. */
export const returnOrigin = z
  .string()
  .refine(
    origin => /^https?:$/.test(parsed(origin)?.protocol ?? '') && parsed(origin)?.origin === origin,
    'must be an origin such as https://shop.example.com, with nothing behind it',
  )

/**
 * Where to send a customer back to; null for an address that is none, and for one that nobody answers for: then there is no
 * link. Whoever writes an unsigned payment URL must not be able to lead this host's customers to a page of theirs.
 */
export function returnLink(given: string | undefined, { origins, signed, http }: ReturnRules): string | null {
  // What a browser would mend in silence is refused, so that this reads an address as every browser does.
  if (given === undefined || given.length > MOST_LETTERS || !/^https?:\/\/[^/\\][!-[\]-~]*$/.test(given))
    return null
  const url = parsed(given)
  if (url === null || (url.protocol !== 'https:' && !http)) return null
  // `https://bank.example@evil.example` reads as the one and leads to the other.
  if (url.username !== '' || url.password !== '' || /^https?:\/\/[^/?#]*@/.test(given)) return null
  return signed || origins.includes(url.origin) ? url.href : null
}

function parsed(url: string): URL | null {
  return URL.parse(url)
}
