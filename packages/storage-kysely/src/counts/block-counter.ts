import type { Database } from '../session/database.ts'
import { countBlocks } from './count-blocks.ts'

/** So many steps are made for one merchant in a row; the next that asks for a total goes on. */
const STEPS = 64

/** For so many milliseconds a merchant is left alone whose next block waits for outcomes, and all where writing failed. */
const REST = 2000
const REST_AFTER_FAILURE = 60_000

/** How many merchants are remembered at most. */
const REMEMBERED = 1000

/**
 * Tells that so many payments of a merchant had to be counted one by one, so that full blocks of them are counted ahead,
 * beside what goes on: no call waits for it, none fails with it, and it does one thing at a time. Where nothing can be
 * written, as on a replica, totals are right all the same.
 */
export function blockCounter(database: Database): (merchantId: string, uncounted: number) => void {
  const { blockSize, ahead } = database.counting
  const count = countBlocks(database)
  const rests = new Map<string, number>()
  let busy = false
  let restsUntil = 0

  async function countAhead(merchantId: string): Promise<void> {
    busy = true
    try {
      let more = true
      for (let step = 0; step < STEPS && more; step++) more = await count(merchantId)
      if (more) return
      if (rests.size >= REMEMBERED) rests.clear()
      rests.set(merchantId, performance.now() + REST)
    } catch {
      restsUntil = performance.now() + REST_AFTER_FAILURE
    } finally {
      busy = false
    }
  }

  return (merchantId, uncounted) => {
    if (!ahead || busy || uncounted < blockSize) return
    const now = performance.now()
    if (now < restsUntil || now < (rests.get(merchantId) ?? 0)) return
    void countAhead(merchantId)
  }
}
