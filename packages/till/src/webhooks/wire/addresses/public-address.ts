import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'
import type { WebhookOptions } from '../../../options.ts'
import { type Address, embeddedIn, within } from './embedded-address.ts'
import { isMetadata } from './metadata-address.ts'

/** Whether a webhook may be sent to an address (a literal, without brackets). */
export type AddressCheck = (address: string) => boolean

const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3')

/**
 * Only public unicast addresses pass, and what the options let through; for IPv6 public is 2000::/3 less its special
 * ranges. An address that holds an IPv4 address leads to that one, so it passes only if that one does too: whatever the
 * options let through, no form of it is a way round the rule for it. No option lets a metadata service through.
 */
export function createAddressCheck(
  options: Pick<WebhookOptions, 'allowPrivateAddresses' | 'allowedNetworks'>,
): AddressCheck {
  const networks = (options.allowedNetworks ?? []).map(network => ipaddr.parseCIDR(network))

  const passes = (address: Address): boolean => {
    if (isMetadata(address)) return false
    if (!embeddedIn(address).every(passes)) return false
    if (options.allowPrivateAddresses) return true
    if (networks.some(network => within(address, network))) return true
    return isPublic(address) && !isOwn(address)
  }

  return literal => isIP(literal) !== 0 && passes(ipaddr.parse(literal))
}

function isPublic(address: Address): boolean {
  return address.range() === 'unicast' && (address.kind() === 'ipv4' || within(address, GLOBAL_IPV6))
}

/** A host's own public address would lead round its firewall. */
function isOwn(address: Address): boolean {
  const text = address.toNormalizedString()
  return Object.values(networkInterfaces()).some(addresses =>
    addresses?.some(own => ipaddr.parse(own.address).toNormalizedString() === text),
  )
}
