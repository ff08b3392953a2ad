import type { Link } from './look/document.ts'
import type { Visitor } from './operator/operator.ts'
import type { Permission } from './operator/permissions.ts'
import { merchantPath } from './routing/addresses.ts'

type Entry = readonly [text: string, path: string, needs: Permission, whole: boolean]

const ALL: readonly Entry[] = [
  ['Today', '/today', 'read', true],
  ['Merchants', '/merchants', 'read', false],
  ['Webhooks', '/webhooks', 'read', true],
  ['Unresolved', '/unresolved', 'read', true],
  ['Settlements', '/settlements', 'read', true],
  ['Actions', '/actions', 'audit', false],
]

const OF_MERCHANT: readonly Entry[] = [
  ['Today', '/today', 'read', false],
  ['Payments', '/payments', 'read', false],
  ['Cash ups', '/cash-ups', 'read', false],
  ['Codes', '/codes', 'read', false],
  ['Webhooks', '/webhooks', 'read', false],
  ['Account', '/account', 'read', false],
]

type To = (path: string) => string

/** The links at the head of each page: those that lead somewhere for who asks. */
export function linksFor(visitor: Visitor, path: string, to: To): Link[] {
  // Whoever has one merchant is in its portal, and needs no list of it.
  const one = visitor.merchants?.length === 1
  return ALL.filter(([text, , needs, whole]) => {
    if (!visitor.may(needs) || (whole && visitor.merchants !== null)) return false
    return !(one && text === 'Merchants')
  }).map(([text, target]) => ({ text, href: to(target), here: isHere(path, target) }))
}

/** The links of one merchant's pages. */
export function merchantLinks(visitor: Visitor, merchantId: string, path: string, to: To): Link[] {
  return OF_MERCHANT.filter(([, , needs]) => visitor.may(needs)).map(([text, below]) => {
    const target = merchantPath(merchantId, below)
    return { text, href: to(target), here: isHere(path, target) }
  })
}

/** Where the console begins for who asks, below the mount. */
export function homeOf(visitor: Visitor): string {
  const [first, ...others] = visitor.merchants ?? []
  if (first !== undefined && others.length === 0) return merchantPath(first, '/today')
  if (visitor.merchants === null && visitor.may('read')) return '/today'
  return '/merchants'
}

function isHere(path: string, target: string): boolean {
  return path === target || path.startsWith(`${target}/`)
}
