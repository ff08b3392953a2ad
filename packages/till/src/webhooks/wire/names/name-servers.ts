import { Resolver } from 'node:dns/promises'
import { type HostAddress, lookupFailed } from './address.ts'

/** A name server that says nothing is asked again after this, and given up after twice as long again. */
const SILENCE_MILLISECONDS = 2000
const TRIES = 2

/** How long one family is waited for once the other has answered: some name servers never say that they have none. */
const OTHER_FAMILY_MILLISECONDS = 1000

/**
 * Asks name servers, those that the machine has now or `servers`, for the addresses of a name as it stands. None where they
 * have none; throws `EAI_AGAIN` where that is not known. It holds no thread of the process.
 */
export async function askNameServers(
  hostname: string,
  signal: AbortSignal,
  servers?: readonly string[],
): Promise<HostAddress[]> {
  if (signal.aborted) throw lookupFailed(signal.reason)
  const resolver = new Resolver({ timeout: SILENCE_MILLISECONDS, tries: TRIES })
  if (servers) resolver.setServers(servers)
  const cancel = () => resolver.cancel()
  let other: NodeJS.Timeout | undefined
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const families = [
      addressesOf(resolver.resolve4(hostname), 4),
      addressesOf(resolver.resolve6(hostname), 6),
    ]
    for (const family of families) {
      family.then(
        () => (other ??= setTimeout(cancel, OTHER_FAMILY_MILLISECONDS)),
        () => {},
      )
    }
    const answers = await Promise.allSettled(families)
    const found = answers.flatMap(answer => (answer.status === 'fulfilled' ? answer.value : []))
    const failures = answers.flatMap(answer => (answer.status === 'rejected' ? [answer.reason] : []))
    const doubt = failures.find(error => isDoubtful(error, hostname))
    if (found.length === 0 && doubt) throw lookupFailed(doubt)
    return found
  } finally {
    clearTimeout(other)
    signal.removeEventListener('abort', cancel)
  }
}

async function addressesOf(answer: Promise<string[]>, family: number): Promise<HostAddress[]> {
  return (await answer).map(address => ({ address, family }))
}

/**
 * Whether it is silence, or passes on that of another server. For a name of one part `SERVFAIL` is how some say that they
 * ask nobody for such names.
 */
function isDoubtful(error: unknown, hostname: string): boolean {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ESERVFAIL') return hostname.replace(/\.$/, '').includes('.')
  return code === 'ETIMEOUT' || code === 'ECANCELLED'
}
