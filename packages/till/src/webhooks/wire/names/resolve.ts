import { lookup } from 'node:dns/promises'
import type { HostAddress, Resolve } from './address.ts'
import { fewAtOnce } from './few-at-once.ts'
import { createHostsFile } from './hosts-file.ts'
import { askNameServers } from './name-servers.ts'

/**
 * How many of the system's own lookups may be under way in this process. Of libuv's four threads two do lookups, the host's
 * as well, and nothing ends one whose name server says nothing.
 */
const SYSTEM_LOOKUPS = 1

const inTurn = fewAtOnce(SYSTEM_LOOKUPS)

/** Where addresses come from; a part that is left out is the machine's. */
export interface NameSources {
  hosts?: (name: string) => Promise<HostAddress[]>
  /** Name servers, as `dns.setServers` takes them. */
  servers?: readonly string[]
  system?: (hostname: string) => Promise<HostAddress[]>
}

/**
 * Finds the addresses of a host name in the hosts file, or else at the name servers, whose silence keeps nobody waiting but
 * whoever asked. Only what they do not have is looked up as the system does it, few at once: a name that is completed by a
 * search domain, or is known otherwise.
 */
export function createResolve(sources: NameSources = {}): Resolve {
  const { hosts = createHostsFile(), servers, system = name => lookup(name, { all: true }) } = sources
  return async (hostname, signal) => {
    const name = hostname.toLowerCase().replace(/\.$/, '')
    const own = await hosts(name)
    if (own.length > 0) return own
    const found = isLocal(name) ? [] : await askNameServers(hostname, signal, servers)
    return found.length > 0 ? found : inTurn(() => system(hostname), signal)
  }
}

/** Names that no name server is to be asked for (RFC 6761, 6.3). */
function isLocal(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost')
}
