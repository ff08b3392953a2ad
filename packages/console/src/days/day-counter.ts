import type { Logger, Till } from '@tillkit/till'
import { LRUCache } from 'lru-cache'
import type { Day } from './day.ts'
import { type MerchantDay, merchantDayOf, type Outcomes } from './outcomes.ts'

/** A day of all merchants, once each of them was looked at. */
interface Counted extends Outcomes {
  /** When, by the till's time. */
  at: Date
  /** The same by the clock that nobody sets, in milliseconds: how old it is, whatever becomes of the others. */
  steady: number
  /** Those that took most, at most ten, most first. */
  most: MerchantDay[]
}

/** What is known of a day of all merchants. */
export interface DayCount {
  /** Null while they are counted for the first time. */
  counted: Counted | null
  /** How many merchants were counted so far in the count that goes on. */
  soFar: number
}

/** Counts days over all merchants, beside whatever asks. */
export interface DayCounter {
  /** What is known now. A count begins where there is none of this day, or the last is old. */
  of(day: Day): DayCount
}

const SHOWN = 10
const AT_ONCE = 4
const PAGE = 500
const KEPT_DAYS = 31

/** For so many milliseconds a count is good. Of a day that is over little changes. */
const GOOD_FOR = { today: 30_000, before: 600_000 }

/** One count goes on at a time, and only while somebody looks. */
export function createDayCounter(till: Till, timeZone: string, logger: Pick<Logger, 'error'>): DayCounter {
  const known = new LRUCache<string, Counted>({ max: KEPT_DAYS })
  let going: { date: string; soFar: number } | null = null

  async function count(day: Day): Promise<void> {
    const mine = { date: day.date, soFar: 0 }
    going = mine
    const sum = { completed: 0, failed: 0, most: [] as MerchantDay[] }
    try {
      for (let after: string | undefined; ; ) {
        const merchants = await till.merchants.list({ ...(after && { after }), limit: PAGE })
        for (let n = 0; n < merchants.length; n += AT_ONCE) {
          const some = merchants.slice(n, n + AT_ONCE)
          const days = await Promise.all(some.map(one => merchantDayOf(till, one, day, timeZone)))
          for (const { completed, failed } of days) {
            sum.completed += completed
            sum.failed += failed
          }
          sum.most = mostOf([...sum.most, ...days.filter(({ totalAmount }) => totalAmount > 0)])
          mine.soFar += some.length
        }
        after = merchants.at(-1)?.id
        if (merchants.length < PAGE) break
      }
      known.set(day.date, { ...sum, at: await till.now(), steady: performance.now() })
    } catch (error) {
      logger.error({ err: error, day: day.date }, 'a day of all merchants was not counted')
    } finally {
      going = null
    }
  }

  return {
    of(day) {
      const counted = known.get(day.date) ?? null
      const goodFor = day.isToday ? GOOD_FOR.today : GOOD_FOR.before
      const isOld = counted === null || performance.now() - counted.steady > goodFor
      if (isOld && going === null) void count(day)
      return { counted, soFar: going?.date === day.date ? going.soFar : 0 }
    },
  }
}

const mostOf = (days: MerchantDay[]) => days.sort((a, b) => b.totalAmount - a.totalAmount).slice(0, SHOWN)
