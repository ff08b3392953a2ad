import { isIP, type LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import { AddressRefused } from './addresses/address-refused.ts'
import type { AddressCheck } from './addresses/public-address.ts'
import type { Resolve } from './names/address.ts'
import { createResolve } from './names/resolve.ts'

/** So that an address that swallows packets leaves time for the host's next. */
const NEXT_ADDRESS_MILLISECONDS = 1000

/**
 * Opens connections for undici, to checked addresses only. A host name is resolved once and every answer is checked; the
 * addresses given back are the ones that the socket dials, so no DNS answer can change in between. For a literal address
 * the socket asks no lookup, so it is checked before. Names that are looked up are given up when `closed` is aborted.
 */
export function createConnector(
  isAllowed: AddressCheck,
  timeoutSeconds: number,
  closed: AbortSignal,
  resolve: Resolve = createResolve(),
): buildConnector.connector {
  const resolveOnce = oneAtATime(resolve, timeoutSeconds, closed)

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

/**
 * However often one slow name is asked for, it is looked up once at a time, for as long as an attempt may take. Who joins a lookup
 * that then runs out of time has the next: of its own it has some left, and the connector says when that is over.
 */
function oneAtATime(
  resolve: Resolve,
  timeoutSeconds: number,
  closed: AbortSignal,
): (hostname: string) => ReturnType<Resolve> {
  const running = new Map<string, { answer: ReturnType<Resolve>; over: AbortSignal }>()

  const inTime = async (hostname: string, over: AbortController) => {
    const end = () => over.abort()
    const timer = setTimeout(end, timeoutSeconds * 1000)
    closed.addEventListener('abort', end, { once: true })
    if (closed.aborted) end()
    try {
      return await resolve(hostname, over.signal)
    } finally {
      clearTimeout(timer)
      closed.removeEventListener('abort', end)
      running.delete(hostname)
    }
  }

  const lookUp = (hostname: string) => {
    const over = new AbortController()
    const answer = inTime(hostname, over)
    running.set(hostname, { answer, over: over.signal })
    return answer
  }

  return async hostname => {
    const same = running.get(hostname)
    if (!same) return lookUp(hostname)
    try {
      return await same.answer
    } catch (error) {
      if (!same.over.aborted || closed.aborted) throw error
      return running.get(hostname)?.answer ?? lookUp(hostname)
    }
  }
}
