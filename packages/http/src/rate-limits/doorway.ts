import type { Limit, Standing } from './limit.ts'

/** What goes on at one address. */
interface Traffic {
  /** Requests that wait, look, or have been let in: while there are any, this is kept. */
  present: number
  /** Those let in, whose outcome is not known yet. */
  inside: number
  /** Changes with every outcome, so that what was read of the limit before is known to be old. */
  outcomes: number
  waiting: (() => void)[]
}

/** Lets in as many requests of an address at a time as the address has failures left. */
export interface Doorway {
  /**
   * Waits until a request may try; then it must `leave`. Where the address has nothing left it is told where it stands instead,
   * and has left.
   */
  enter(address: string): Promise<Standing | null>
  /** Once its failure is counted, or there is none to count. */
  leave(address: string): void
}

/**
 * Requests whose outcome counts only when they fail must not all be tried at once: of a burst of thousands each would
 * look while nothing is counted yet. Those beyond the limit wait for the outcome of those before them, so that nobody is
 * refused for what others have in flight. `unlimited` addresses wait, but are never refused.
 */
export function doorway(limit: Limit, unlimited: string): Doorway {
  const addresses = new Map<string, Traffic>()

  function trafficOf(address: string): Traffic {
    const known = addresses.get(address)
    if (known) return known
    const made: Traffic = { present: 0, inside: 0, outcomes: 0, waiting: [] }
    addresses.set(address, made)
    return made
  }

  function depart(address: string, traffic: Traffic): void {
    traffic.present -= 1
    if (traffic.present === 0) addresses.delete(address)
  }

  async function admitted(address: string, traffic: Traffic): Promise<Standing | null> {
    for (;;) {
      const { outcomes } = traffic
      const { remaining, usedUp } =
        address === unlimited ? { remaining: limit.points, usedUp: null } : await limit.left(address)
      if (usedUp) return usedUp
      if (outcomes !== traffic.outcomes) continue
      if (traffic.inside < remaining) {
        traffic.inside += 1
        return null
      }
      await new Promise<void>(resolve => traffic.waiting.push(resolve))
    }
  }

  return {
    async enter(address) {
      const traffic = trafficOf(address)
      traffic.present += 1
      let inside = false
      try {
        const refused = await admitted(address, traffic)
        inside = refused === null
        return refused
      } finally {
        if (!inside) depart(address, traffic)
      }
    },

    leave(address) {
      const traffic = trafficOf(address)
      traffic.inside -= 1
      traffic.outcomes += 1
      // When nobody is left inside, all have to see for themselves.
      for (const wake of traffic.waiting.splice(0, traffic.inside === 0 ? Infinity : 1)) wake()
      depart(address, traffic)
    },
  }
}
