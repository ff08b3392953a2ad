import type { IncomingMessage } from 'node:http'
import { TillError } from '@tillkit/http'
import proxyAddr from 'proxy-addr'

/**
 * Which proxies are believed about the client, as Express' setting `trust proxy` has it: none (`false`), all (`true`),
 * the nearest so many, addresses and networks (also `loopback`, `linklocal`, `uniquelocal`; a list, or one string with
 * commas), or a function of an address and its distance.
 */
export type TrustProxy = boolean | number | string | string[] | Trust

export type Trust = (address: string, distance: number) => boolean

/** Compiles the setting; null trusts nobody. Throws `TillError` `invalid_input` when it means nothing. */
export function compileTrust(setting: TrustProxy | undefined): Trust | null {
  if (setting === undefined || setting === false || setting === 0) return null
  if (setting === true) return () => true
  if (typeof setting === 'function') return setting
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

/** The client's address: the peer's, or what trusted proxies say in `X-Forwarded-For`. */
export function clientAddress(request: IncomingMessage, trust: Trust | null): string | undefined {
  return trust === null ? request.socket.remoteAddress : proxyAddr(request, trust)
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
