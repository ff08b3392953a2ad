import { lookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import { AddressRefused } from './address-refused.ts'
import type { AddressCheck } from './public-address.ts'

/** All addresses of a host name. */
export type Resolve = (hostname: string) => Promise<{ address: string; family: number }[]>

/** So that an address that swallows packets leaves time for the host's next. */
const NEXT_ADDRESS_MILLISECONDS = 1000

/**
 * Opens connections for undici, to checked addresses only. A host name is resolved once and every answer is checked; the
 * addresses given back are the ones that the socket dials, so no DNS answer can change in between. For a literal address
 * the socket asks no lookup, so it is checked before.
 */
export function createConnector(
  isAllowed: AddressCheck,
  timeoutSeconds: number,
  resolve: Resolve = hostname => lookup(hostname, { all: true }),
): buildConnector.connector {
  const resolveOnce = oneAtATime(resolve)

  const checkedLookup: LookupFunction = (hostname, options, callback) => {
    resolveOnce(hostname).then(
      addresses => {
        const refused = addresses.find(({ address }) => !isAllowed(address))
        const [first] = addresses
        if (refused) callback(new AddressRefused(refused.address), [])
        else if (!first) callback(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), [])
        else if (options.all) callback(null, addresses)
        else callback(null, first.address, first.family)
      },
      error => callback(error, []),
    )
  }

  const connect = buildConnector({
    timeout: timeoutSeconds * 1000,
    lookup: checkedLookup,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MILLISECONDS,
  })

  return (target, callback) => {
    const { hostname } = target
    if (isIP(hostname) === 0) {
      connect({ ...target, servername: hostname.replace(/\.$/, '') }, callback)
    } else if (isAllowed(hostname)) {
      connect(target, callback)
    } else {
      queueMicrotask(() => callback(new AddressRefused(hostname), null))
    }
  }
}

/** The system's lookups share a few threads: however often one slow name is asked for, it holds one of them. */
function oneAtATime(resolve: Resolve): Resolve {
  const running = new Map<string, ReturnType<Resolve>>()
  return hostname => {
    const same = running.get(hostname)
    if (same) return same
    const answer = resolve(hostname).finally(() => running.delete(hostname))
    running.set(hostname, answer)
    return answer
  }
}
