import ipaddr from 'ipaddr.js'

export type Address = ipaddr.IPv4 | ipaddr.IPv6

/** Of what bytes of an IPv6 address an IPv4 address is made, behind a prefix of so many bits (RFC 6052, 2.2). */
const BEHIND_PREFIX: Record<number, [number, number, number, number]> = {
  32: [4, 5, 6, 7],
  40: [5, 6, 7, 9],
  48: [6, 7, 9, 10],
  56: [7, 9, 10, 11],
  64: [9, 10, 11, 12],
  96: [12, 13, 14, 15],
}

const LAST = [12, 13, 14, 15]

/** The known forms of an IPv6 address that leads to an IPv4 address, and where that stands in it. */
const FORMS: { network: [Address, number]; places: number[][]; inverted?: boolean }[] = [
  // Mapped and compatible (RFC 4291, 2.5.5), translated (RFC 2765).
  { network: ipaddr.parseCIDR('::ffff:0:0/96'), places: [LAST] },
  { network: ipaddr.parseCIDR('::/96'), places: [LAST] },
  { network: ipaddr.parseCIDR('::ffff:0:0:0/96'), places: [LAST] },
  // NAT64: the well-known prefix (RFC 6052), and the one for local use, which is divided as its network likes (RFC 8215).
  { network: ipaddr.parseCIDR('64:ff9b::/96'), places: [LAST] },
  {
    network: ipaddr.parseCIDR('64:ff9b:1::/48'),
    places: [48, 56, 64, 96].map(bits => BEHIND_PREFIX[bits] ?? LAST),
  },
  // 6to4 (RFC 3056); Teredo's server, and its client, whose bits are inverted (RFC 4380).
  { network: ipaddr.parseCIDR('2002::/16'), places: [[2, 3, 4, 5]] },
  { network: ipaddr.parseCIDR('2001::/32'), places: [[4, 5, 6, 7]] },
  { network: ipaddr.parseCIDR('2001::/32'), places: [LAST], inverted: true },
]

/** The IPv4 addresses to which an IPv6 address of a known form leads; none where it is of no such form. */
export function embeddedIn(address: Address): Address[] {
  // The unspecified and the loopback address look compatible and are not.
  if (address.kind() === 'ipv4' || ['unspecified', 'loopback'].includes(address.range())) return []
  return FORMS.filter(({ network }) => within(address, network)).flatMap(({ places, inverted = false }) =>
    places.map(place => taken(address, place, inverted)),
  )
}

/** What the address would lead to if it were one of a network's own NAT64 prefixes, whose bits nobody knows here. */
export function asAnyPrefixHolds(address: Address): Address[] {
  if (address.kind() === 'ipv4') return []
  return Object.values(BEHIND_PREFIX).map(place => taken(address, place, false))
}

export function within(address: Address, network: [Address, number]): boolean {
  return address.kind() === network[0].kind() && address.match(network)
}

function taken(address: Address, place: readonly number[], inverted: boolean): Address {
  const bytes = address.toByteArray()
  return new ipaddr.IPv4(place.map(at => (inverted ? 255 - (bytes[at] ?? 0) : (bytes[at] ?? 0))))
}
