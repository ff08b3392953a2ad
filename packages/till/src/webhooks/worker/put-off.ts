import { after } from '@tillkit/domain'
import type { Lease } from '@tillkit/storage'
import type { Clock } from '../../clock/clock.ts'

/** Deliveries that were claimed and whose turn would be long in coming: they are given back, due later. */
export interface PutOff {
  add(lease: Lease, silent: boolean): void
  /** How many were added that are not given back yet. */
  count(): number
  /** Gives back what was added; `more` says that there may be more of the same pass over what is due. */
  done(more: boolean): Promise<void>
}

/** How many a place is thought to get through in a second. */
const A_SECOND = 4

/** Over how many seconds what is put off is spread at most: a merchant that has few waits for no others' backlog longer than that. */
const MOST_SPREAD = 120

/** By how many seconds a delivery is put off at most. */
export const longestPutOff = (timeoutSeconds: number): number => 4 * timeoutSeconds + MOST_SPREAD

/**
 * What waits for a merchant that does not answer is put off for as long as four attempts take, the rest for a second. Either
 * is due again the later the more of it was put off before in the same pass, so that it comes back no faster than it can be
 * sent, and in its order: what all came back at once would be claimed before whatever is new.
 */
export function createPutOff(parts: {
  release: (leases: Lease[], at: Date) => Promise<void>
  now: Clock['now']
  timeoutSeconds: number
  places: number
}): PutOff {
  const { release, now, timeoutSeconds, places } = parts
  const kinds = {
    silent: { leases: [] as Lease[], passed: 0, seconds: 4 * timeoutSeconds },
    others: { leases: [] as Lease[], passed: 0, seconds: 1 },
  }
  const all = [kinds.silent, kinds.others]
  const count = () => kinds.silent.leases.length + kinds.others.leases.length

  return {
    add: (lease, silent) => void kinds[silent ? 'silent' : 'others'].leases.push(lease),
    count,

    async done(more) {
      const added = all
        .map(kind => ({ kind, leases: kind.leases.splice(0) }))
        .filter(({ leases }) => leases.length > 0)
      if (added.length > 0) {
        const at = await now()
        for (const { kind, leases } of added) {
          const { passed, seconds } = kind
          kind.passed += leases.length
          const later = Math.min(passed / (A_SECOND * places), MOST_SPREAD)
          await release(leases, after(at, seconds + later))
        }
      }
      if (!more) for (const kind of all) kind.passed = 0
    },
  }
}
