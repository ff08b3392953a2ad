import type { Logger } from '@tillkit/till'
import { LRUCache } from 'lru-cache'

/** What is added up of many payments. The first time this may take longer than anybody waits for a page. */
export interface Counting {
  /**
   * What `count` comes to, where that is known within a moment. Otherwise null, and it goes on: whoever asks again under the same
   * name gets it when it is there.
   */
  within<Result>(name: string, count: () => Promise<Result>): Promise<Result | null>
}

/** For so many milliseconds a page waits. */
const MOMENT = 700

/** For so many milliseconds a count that took longer is handed out after its end: pages that wait ask again sooner. */
const GOOD_FOR = 8000

interface Going {
  result: Promise<unknown>
  /** By `performance.now()`; null before its end. */
  endedAt: number | null
  /** How many pages wait for it, and hear themselves that it failed. */
  waiting: number
}

export function createCounting(logger: Pick<Logger, 'error'>): Counting {
  const going = new LRUCache<string, Going>({ max: 500 })

  function begin(name: string, count: () => Promise<unknown>): Going {
    const one: Going = { result: count(), endedAt: null, waiting: 0 }
    going.set(name, one)
    one.result.then(
      () => {
        one.endedAt = performance.now()
      },
      error => {
        going.delete(name)
        if (one.waiting > 0) return
        logger.error({ err: error }, 'what was counted for a page of the console did not come to its end')
      },
    )
    return one
  }

  return {
    async within<Result>(name: string, count: () => Promise<Result>) {
      const known = going.get(name)
      const isGood = known && (known.endedAt === null || performance.now() - known.endedAt < GOOD_FOR)
      const one = isGood ? known : begin(name, count)
      const late = Promise.withResolvers<null>()
      one.waiting += 1
      const timer = setTimeout(late.resolve, MOMENT, null)
      try {
        const result = (await Promise.race([one.result, late.promise])) as Result | null
        // What was there at once is counted anew the next time.
        if (result !== null && !isGood) going.delete(name)
        return result
      } finally {
        clearTimeout(timer)
        one.waiting -= 1
      }
    },
  }
}
