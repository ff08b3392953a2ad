import { isIP, isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** What requests are counted by whose server does not tell the address: all together. */
export const UNKNOWN_NETWORK = 'unknown'

/** The longest text that can name an address: an IPv6 address with zone, brackets, quotes and port. */
const LONGEST = 128

/**
 * The address that an entry of `X-Forwarded-For` names: itself, or without the port, brackets, quotes and spaces that some
 * proxies write (`203.0.113.7:4711`, `"[2001:db8::1]:443"`). Undefined for what names none: `unknown`, nothing, anything else.
 */
export function ipAddress(text: string | undefined): string | undefined {
  if (text === undefined || text.length > LONGEST) return undefined
  if (isIP(text) !== 0) return text
  const bare = text
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .trim()
  const [, bracketed, plain] = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d{0,5})?$/.exec(bare) ?? []
  const address = bracketed ?? plain ?? bare
  return isIP(address) === 0 ? undefined : address
}

/**
 * What an address is counted by: itself, or for IPv6 its /64, which one subscriber has at least of, so that nobody
 * gets a new limit with each of 2^64 addresses. One that stands for an IPv4 address (mapped, NAT64, 6to4) is that. Null for an
 * unknown address, and for what is none.
 */
export function clientNetwork(address: string | undefined): string | null {
  if (address !== undefined && isIPv4(address)) return address
  const named = ipAddress(address)
  if (named === undefined || isIPv4(named)) return named ?? null
  const [whole = ''] = named.split('%', 1)
  const { parts } = ipaddr.IPv6.parse(whole)
  return (
    embedded(parts) ??
    `${parts
      .slice(0, 4)
      .map(part => part.toString(16))
      .join(':')}::/64`
  )
}

/** The IPv4 address that an IPv6 one stands for: whoever is behind it has no other. */
function embedded(parts: number[]): string | null {
  const head = parts
    .slice(0, 6)
    .map(part => part.toString(16))
    .join(':')
  // Mapped (RFC 4291), translated (RFC 2765), NAT64 (RFC 6052; of RFC 8215's networks, those with a prefix of 96 bits).
  if (head === '0:0:0:0:0:ffff' || head === '0:0:0:0:ffff:0') return dotted(parts[6], parts[7])
  if (head === '64:ff9b:0:0:0:0' || head.startsWith('64:ff9b:1:')) return dotted(parts[6], parts[7])
  // 6to4 (RFC 3056): a network of 2^80 addresses for each IPv4 address.
  return parts[0] === 0x2002 ? dotted(parts[1], parts[2]) : null
}

function dotted(high = 0, low = 0): string {
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.')
}
