import { isIPv6 } from 'node:net'

/** What requests are counted by whose server does not tell the address: all together. */
export const UNKNOWN_NETWORK = 'unknown'

/**
 * What an address is counted by: itself, or for IPv6 its /64, which one subscriber has at least of, so that nobody
 * gets a new limit with each of 2^64 addresses. Null for an unknown address.
 */
export function clientNetwork(address: string | undefined): string | null {
  if (address === undefined || address === '') return null
  if (!address.includes(':') || !isIPv6(address)) return address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  return mapped ? (mapped[1] as string) : `${firstGroups(address).join(':')}::/64`
}

/** The first four groups of an IPv6 address, without leading zeros. */
function firstGroups(address: string): string[] {
  const [head = '', tail] = address.split('::')
  const groups = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  while (tail !== undefined && groups.length + after.length < 8) groups.push('0')
  return [...groups, ...after].slice(0, 4).map(group => Number.parseInt(group, 16).toString(16))
}
