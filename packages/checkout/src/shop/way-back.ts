import { LinkError } from '../payment/link/link-error.ts'
import { RETURN_PARAMETER, returnLink } from './return-link.ts'
import type { KnownShop } from './shop.ts'

/** What is known of a payment URL at a counter. */
interface GivenLink {
  extra: Readonly<Record<string, string>> | undefined
  shop: KnownShop
  /** Whether plain HTTP will do, for local work. */
  http: boolean
}

/** Where a payment URL that is `signed` or not leads its customer back to; null for nowhere. */
export function backTo({ extra, shop, http }: GivenLink, signed: boolean): string | null {
  const given = extra && Object.hasOwn(extra, RETURN_PARAMETER) ? extra[RETURN_PARAMETER] : undefined
  return returnLink(given, { origins: shop.returnOrigins, signed, http })
}

/**
 * The same for a payment that was started by such a URL. Its signature is asked for where it matters only, and one that has ended
 * since is good for that.
 */
export async function backFrom(link: GivenLink, check: () => Promise<boolean>): Promise<string | null> {
  const listed = backTo(link, false)
  if (listed !== null || backTo(link, true) === null) return listed
  try {
    return backTo(link, await check())
  } catch (error) {
    if (!(error instanceof LinkError)) throw error
    return backTo(link, error.fault === 'expired')
  }
}
