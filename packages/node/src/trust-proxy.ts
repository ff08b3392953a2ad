import type { IncomingMessage } from 'node:http'
import { ipAddress, TillError } from '@tillkit/http'
import proxyAddr from 'proxy-addr'

/**
 * Which proxies are believed about the client, as Express' setting `trust proxy` has it: none (`false`), all (`true`),
 * the nearest so many, addresses and networks (also `loopback`, `linklocal`, `uniquelocal`; a list, or one string with
 * commas), or a function of an address and its distance, which answers at once: a promise is an error of that request.
 */
export type TrustProxy = boolean | number | string | string[] | Trust

/** Whether the proxy at an address is believed; `distance` counts the proxies before it, the nearest being 0. */
export type Trust = (address: string, distance: number) => boolean

/** Compiles the setting; null trusts nobody. Throws `TillError` `invalid_input` when it means nothing. */
export function compileTrust(setting: TrustProxy | undefined): Trust | null {
  if (setting === undefined || setting === false || setting === 0) return null
  if (setting === true) return () => true
  if (typeof setting === 'function') return atOnce(setting)
  if (typeof setting === 'number' && Number.isSafeInteger(setting) && setting > 0) {
    return (_, distance) => distance < setting
  }
  try {
    const list = typeof setting === 'string' ? setting.split(',').map(part => part.trim()) : setting
    if (!Array.isArray(list))
      throw new TypeError('must be a boolean, a number of proxies, addresses or a function')
    return list.length === 0 ? null : proxyAddr.compile(list)
  } catch (error) {
    throw new TillError('invalid_input', `trustProxy: ${(error as Error).message}`)
  }
}

/** Every promise is true: a function that answers with one would believe everybody. */
function atOnce(trust: Trust): Trust {
  return (address, distance) => {
    const answer: unknown = trust(address, distance)
    if (answer instanceof Promise)
      throw new TypeError('trustProxy must answer true or false, and not a promise of it')
    return Boolean(answer)
  }
}

/** The client's address: the peer's, or what trusted proxies say in `X-Forwarded-For`. */
export function clientAddress(request: IncomingMessage, trust: Trust | null): string | undefined {
  const { socket } = request
  const forwarded = request.headers['x-forwarded-for']
  if (trust === null || forwarded === undefined) return socket.remoteAddress
  const headers = { 'x-forwarded-for': addresses(String(forwarded)) }
  // Over a Unix socket the peer has no address.
  const trusts: Trust = (address, distance) => trust(address ?? '', distance)
  return proxyAddr({ headers, socket } as Partial<IncomingMessage> as IncomingMessage, trusts)
}

/** Of what is sent in it, so much from its end is looked at: trusted proxies write there. */
const LONGEST = 4096

/**
 * `X-Forwarded-For` as a list of bare addresses. Empty entries mean nothing. What names no address, `unknown` for example, and
 * all that stands before it are left out: nobody vouches for that.
 */
function addresses(forwarded: string): string {
  const entries = forwarded.slice(-LONGEST).split(',')
  if (forwarded.length > LONGEST) entries.shift() // most likely half an address
  const found: string[] = []
  for (const entry of entries.reverse()) {
    if (entry.trim() === '') continue
    const [address] = ipAddress(entry)?.split('%', 1) ?? []
    if (address === undefined) break
    found.unshift(address)
  }
  return found.join(', ')
}

/** Whether the client came over HTTPS: by the connection, or by a trusted peer's `X-Forwarded-Proto`. */
export function isSecure(request: IncomingMessage, trust: Trust | null): boolean {
  const encrypted = 'encrypted' in request.socket && request.socket.encrypted === true
  if (trust === null || !trust(request.socket.remoteAddress ?? '', 0)) return encrypted
  const protocol = request.headers['x-forwarded-proto']
  if (typeof protocol !== 'string' || protocol === '') return encrypted
  const [first = ''] = protocol.split(',', 1)
  return first.trim().toLowerCase() === 'https'
}
