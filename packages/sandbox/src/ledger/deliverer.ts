import { setTimeout as sleep } from 'node:timers/promises'
import type { Till } from '@tillkit/till'

/** For how long a request waits for receivers. */
const LONGEST_WAIT_MILLISECONDS = 20_000

/** Sends the webhooks of one ledger. */
export interface Deliverer {
  /** Sends what is due, after what is being sent. Not waited for. */
  deliver(): void
  /** Resolves when all of it was tried, or after a while. */
  delivered(): Promise<void>
}

/** Sends in rounds, one after another: what a plan sends twice is due again after the first. */
export function deliverer(till: Till): Deliverer {
  let rounds: Promise<void> = Promise.resolve()

  const round = async () => {
    while ((await till.webhooks.deliverDue()).delivered > 0);
  }

  return {
    deliver() {
      // What a storage failed to hand out stays due; the next request tries again.
      rounds = rounds.then(round).catch(() => {})
    },
    async delivered() {
      const enough = new AbortController()
      const wait = sleep(LONGEST_WAIT_MILLISECONDS, undefined, { signal: enough.signal, ref: false })
      await Promise.race([rounds, wait.catch(() => {})])
      enough.abort()
    },
  }
}
