import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'
import type { WebhookOptions } from '../options.ts'

/** Whether a webhook may be sent to an address (a literal, without brackets). */
export type AddressCheck = (address: string) => boolean

/**
 * Where clouds answer any process on a machine with that machine's credentials; some of these are public or look so.
 * No option lets them through.
 */
const METADATA = new Set(
  [
    '169.254.169.254', // most
    '169.254.170.2', // AWS ECS
    '169.254.170.23', // AWS EKS
    '168.63.129.16', // Azure
    '100.100.100.200', // Alibaba
    '192.0.0.192', // Oracle
    'fd00:ec2::254', // AWS
    'fd00:ec2::23', // AWS EKS
    'fd20:ce::254', // Google
    'fd00:42::42', // Scaleway
  ].map(address => ipaddr.parse(address).toNormalizedString()),
)

const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3')

/**
 * Only public unicast addresses pass, and what the options let through. For IPv6 public is 2000::/3 less its special
 * ranges, so that no form that holds an IPv4 address (mapped, compatible, NAT64, 6to4, Teredo) passes.
 */
export function createAddressCheck(
  options: Pick<WebhookOptions, 'allowPrivateAddresses' | 'allowedNetworks'>,
): AddressCheck {
  const networks = (options.allowedNetworks ?? []).map(network => ipaddr.parseCIDR(network))
  return literal => {
    if (isIP(literal) === 0) return false
    const address = ipaddr.parse(literal)
    if (METADATA.has(ipaddr.process(literal).toNormalizedString())) return false
    if (options.allowPrivateAddresses) return true
    if (networks.some(network => within(address, network))) return true
    return isPublic(address) && !isOwn(address)
  }
}

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return address.range() === 'unicast' && (address.kind() === 'ipv4' || within(address, GLOBAL_IPV6))
}

/** A host's own public address would lead round its firewall. */
function isOwn(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  const text = address.toNormalizedString()
  return Object.values(networkInterfaces()).some(addresses =>
    addresses?.some(own => ipaddr.parse(own.address).toNormalizedString() === text),
  )
}

function within(address: ipaddr.IPv4 | ipaddr.IPv6, network: [ipaddr.IPv4 | ipaddr.IPv6, number]): boolean {
  return address.kind() === network[0].kind() && address.match(network)
}
