import { after } from '@tillkit/domain'
import type { Lease } from '@tillkit/storage'
import type { Clock } from '../../clock/clock.ts'

/** Deliveries that were claimed and whose turn would be long in coming: they are given back, due later. */
export interface PutOff {
  add(lease: Lease, silent: boolean): void
  /** Gives back what was added; `more` says that there may be more of the same pass over what is due. */
  done(more: boolean): Promise<void>
}

/** How many a place is thought to get through in a second. */
const A_SECOND = 4

/**
 * What waits for a merchant that does not answer is put off for as long as four attempts take. The rest is due again the
 * later the more was put off before it in the same pass, so that it comes back no faster than it can be sent, and in its
 * order.
 */
export function createPutOff(parts: {
  release: (leases: Lease[], at: Date) => Promise<void>
  now: Clock['now']
  timeoutSeconds: number
  places: number
}): PutOff {
  const { release, now, timeoutSeconds, places } = parts
  let ofSilent: Lease[] = []
  let others: Lease[] = []
  let passed = 0

  return {
    add(lease, silent) {
      if (silent) ofSilent.push(lease)
      else others.push(lease)
    },

    async done(more) {
      const [silent, rest] = [ofSilent, others]
      ofSilent = []
      others = []
      if (silent.length + rest.length > 0) {
        const at = await now()
        if (silent.length > 0) await release(silent, after(at, 4 * timeoutSeconds))
        if (rest.length > 0) await release(rest, after(at, 1 + passed / (A_SECOND * places)))
        passed += rest.length
      }
      if (!more) passed = 0
    },
  }
}
