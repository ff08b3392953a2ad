import ipaddr from 'ipaddr.js'
import { type Address, asAnyPrefixHolds, within } from './embedded-address.ts'

/**
 * Where clouds answer any process on a machine with that machine's credentials or configuration, as their documentation
 * has it; some of these are public or look so.
 */
const METADATA = new Set(
  [
    '169.254.169.254', // AWS, Google, Azure, Oracle, IBM, DigitalOcean, Hetzner, OpenStack and most others
    '169.254.170.2', // AWS ECS
    '169.254.170.23', // AWS EKS
    '169.254.0.23', // Tencent
    '169.254.42.42', // Scaleway
    '168.63.129.16', // Azure's wire server
    '100.100.100.200', // Alibaba
    '192.0.0.192', // Oracle
    'fd00:ec2::254', // AWS
    'fd00:ec2::23', // AWS EKS
    'fd20:ce::254', // Google
    'fd00:42::42', // Scaleway
    'fd00:a9fe:a9fe::1', // Akamai (Linode)
    'fe80::a9fe:a9fe', // OpenStack
  ].map(textOf),
)

/** Link-local IPv4 (RFC 3927) is where most of these are, and where the next one will be. */
const LINK_LOCAL = ipaddr.parseCIDR('169.254.0.0/16')

/** Whether it is an address that no option lets through. */
export function isMetadata(address: Address): boolean {
  if (within(address, LINK_LOCAL) || isService(address)) return true
  // Of these bits a whole network would be met by chance, one address is not.
  return asAnyPrefixHolds(address).some(isService)
}

function isService(address: Address): boolean {
  return METADATA.has(textOf(address.toNormalizedString()))
}

/** The address without the zone that a link-local one may carry. */
function textOf(address: string): string {
  return ipaddr.parse(address.replace(/%.*$/, '')).toNormalizedString()
}
