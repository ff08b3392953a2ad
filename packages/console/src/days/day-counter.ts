import type { Logger, Till } from '@tillkit/till'
import { type Success, successOf } from './success.ts'

/** What is known of the payments of all merchants since a time. */
interface SuccessCount extends Success {
  /** When all merchants were counted; null while they are counted for the first time. */
  at: Date | null
  /** How many were counted so far in the count that goes on; null where none does. */
  counting: number | null
}

/** Counts over all merchants, beside whatever asks. */
export interface SuccessCounter {
  /** What is known now. A count begins where there is none of this day, or the last is older than half a minute. */
  since(start: Date): SuccessCount
}

const GOOD_FOR = 30_000
const AT_ONCE = 4
const PAGE = 500

/** One count goes on at a time, and only while somebody looks. */
export function createSuccessCounter(till: Till, logger: Pick<Logger, 'error'>): SuccessCounter {
  let known: { start: number; at: Date; success: Success } | null = null
  let going: { start: number; counted: number } | null = null

  async function count(start: Date): Promise<void> {
    const mine = { start: start.getTime(), counted: 0 }
    going = mine
    const sum: Success = { completed: 0, failed: 0 }
    try {
      for (let after: string | undefined; ; ) {
        const merchants = await till.merchants.list({ ...(after && { after }), limit: PAGE })
        for (let n = 0; n < merchants.length; n += AT_ONCE) {
          const some = merchants.slice(n, n + AT_ONCE)
          for (const { completed, failed } of await Promise.all(
            some.map(({ id }) => successOf(till, id, start)),
          )) {
            sum.completed += completed
            sum.failed += failed
          }
          mine.counted += some.length
        }
        after = merchants.at(-1)?.id
        if (merchants.length < PAGE) break
      }
      known = { start: mine.start, at: new Date(), success: sum }
    } catch (error) {
      logger.error({ err: error }, 'the payments of all merchants were not counted')
    } finally {
      going = null
    }
  }

  return {
    since(start) {
      const ours = known?.start === start.getTime() ? known : null
      const isOld = ours === null || Date.now() - ours.at.getTime() > GOOD_FOR
      if (isOld && going === null) void count(start)
      return {
        completed: 0,
        failed: 0,
        ...ours?.success,
        at: ours?.at ?? null,
        counting: going?.counted ?? null,
      }
    },
  }
}
