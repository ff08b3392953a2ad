import { ATTEMPT } from './payment/attempt.ts'

/** What a path below the mount names. */
export type Route =
  | { kind: 'image' }
  | { kind: 'script'; name: string }
  /** The address that the QR code carries. */
  | { kind: 'scan'; scanCode: string }
  /** The page of one attempt to pay: first the form, then the result. */
  | { kind: 'attempt'; scanCode: string; attempt: string }
  /** The receipt of its payment, as a file. */
  | { kind: 'receipt'; scanCode: string; attempt: string }
  /** Where a customer comes back to from elsewhere, with the query of the attempt's page in base64url. */
  | { kind: 'back'; scanCode: string; attempt: string; packed: string | undefined }

const CODE = '[A-Za-z0-9_-]{1,64}'
const IMAGE = new RegExp(`^/${CODE}\\.(?:svg|png)/?$`)
const PAGE = new RegExp(`^/(${CODE})(?:/pay/(${ATTEMPT})|/)?$`)
const RECEIPT = new RegExp(`^/(${CODE})/pay/(${ATTEMPT})/receipt$`)
const BACK = new RegExp(`^/(${CODE})/pay/(${ATTEMPT})/back(?:/([A-Za-z0-9_-]{1,16384}))?$`)
const SCRIPT = /^\/(checkout-[0-9a-f]{16}\.js)$/

/** Null for a path that is nothing's. No scan code has a point, so no code can be mistaken for a file. */
export function routeOf(path: string): Route | null {
  if (IMAGE.test(path)) return { kind: 'image' }
  const [, scanCode, attempt] = PAGE.exec(path) ?? []
  if (scanCode !== undefined)
    return attempt === undefined ? { kind: 'scan', scanCode } : { kind: 'attempt', scanCode, attempt }
  const [, payee, attemptPaid] = RECEIPT.exec(path) ?? []
  if (payee !== undefined && attemptPaid !== undefined)
    return { kind: 'receipt', scanCode: payee, attempt: attemptPaid }
  const [, from, left = '', packed] = BACK.exec(path) ?? []
  if (from !== undefined) return { kind: 'back', scanCode: from, attempt: left, packed }
  const [, name] = SCRIPT.exec(path) ?? []
  return name === undefined ? null : { kind: 'script', name }
}

const BELOW = { attempt: '', receipt: '/receipt', back: '/back' }

/** What listeners are told of a path: its names in the place of values, and the path where it is not to be told as it is. */
export function toldOf(path: string): { route?: string; path?: string } {
  const route = routeOf(path)
  const shown = pathForLogs(path)
  if (route === null) return shown === path ? {} : { path: shown }
  if (route.kind === 'image') return {}
  if (route.kind === 'script') return { route: '/checkout.js' }
  if (route.kind === 'scan') return { route: '/{scanCode}' }
  const told = { route: `/{scanCode}/pay/{attempt}${BELOW[route.kind]}` }
  return route.kind === 'back' ? { ...told, path: shown } : told
}

/** Whatever else stands in it, of a bank that adds a slash or more: it holds all the same what it held. */
const HELD = /(\/pay\/[^/]+\/back)\/.*/s

/** A path below the checkout's mount as a log may have it: that of the way back without the amount and the reference that it holds. */
export function pathForLogs(path: string): string {
  return path.replace(HELD, '$1')
}
