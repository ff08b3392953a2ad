import { type Instant, instant } from '@tillkit/domain'
import type { ClaimRequest } from '@tillkit/storage'
import { sql } from 'kysely'
import { instantOf, isDate, type ReadDate } from '../../schema/dates.ts'
import { walk } from '../../schema/planner/walk.ts'
import type { Database } from '../../session/database.ts'
import { prepareEach } from '../../session/statements/prepared.ts'
import { givenTime } from '../../time/given-time.ts'

/** Fewer than these are walked by each claim. About as many as one takes: of many more a planner would sort all there are. */
const MANY = 100

/**
 * What is due for less long is looked at by each claim: something may come before it that is not committed yet, or made due as of
 * when an attempt began.
 */
const YOUNG_MILLISECONDS = 20_000

/** How often a claim looks at all that is due: at what came back behind the others, because a claim was rolled back, say. */
const AGAIN_MILLISECONDS = 10_000

/**
 * A look at all that takes longer has more to pass by than is due: on PostgreSQL and MySQL what was delivered stays in the
 * index for as long as a snapshot is open that is older, a backup's say.
 */
const SLOW_MILLISECONDS = 50

/** Looks at all take no more than this part of the time, however long one is. */
const PART_OF_THE_TIME = 1 / 20

/** Of how many merchants is remembered what was left of them. */
const MOST_LEFT_OUT = 1000

/** What a claim need not look at, since those before it did. */
export interface PassedOver {
  /** From when on there may be something due for anybody but these; undefined where that is from the first. */
  from(except: ReadonlySet<string>): Instant | undefined
  /** Says that what is due has been read, where there is more to be done before `went`: a look has taken no longer than until then. */
  looked(): void
  /** Says that a claim which left these out has committed, and took all else up to `last`, or all there was. */
  went(except: ReadonlySet<string>, last: Instant | undefined): void
}

/** Before any time there is. */
const FIRST: Instant = ''

/** Where every claim begins with what is due first. */
const NOTHING: PassedOver = { from: () => undefined, looked() {}, went() {} }

/**
 * Of merchants that claims leave out thousands may be due, before all that is due for others; and what was delivered may lie
 * there too, where an old snapshot keeps it. So claims of this process go on where those before them came to, and look at
 * all of it again now and then. It is only remembered: whoever knows less looks at more.
 */
export function passedOver(database: Database): (request: ClaimRequest) => Promise<PassedOver> {
  const ask = askOf(database)
  // What is asked as of another time says nothing of what is due now.
  const [own, given] = [createMemory(ask), createMemory(ask)]
  return async ({ now, exceptMerchants = [], onlyMerchant }) => {
    const leavesOut = exceptMerchants.length > 0
    if (onlyMerchant !== undefined || (now !== null && !leavesOut)) return NOTHING
    return (now === null ? own : given)(now, leavesOut)
  }
}

/** The time, and whether many are due by then. */
interface Answer {
  time: Instant
  many: boolean
}

/** Asks for it, without looking whether many are due where that is `known`. */
type Ask = (now: Instant | null, known: boolean) => Promise<Answer>

function askOf({ builder, read, dialect }: Database): Ask {
  const due = walk(dialect, 'due')
  const query = prepareEach((known: boolean) => (p: { now: string | null }) => {
    const last = builder
      .selectFrom('deliveries')
      .select('payment_id')
      .where(due.upTo(dialect.orNow(p.now)))
      .orderBy(due.time)
      .limit(1)
      .offset(sql.lit(MANY - 1))
    return builder
      .selectNoFrom(dialect.timeOf(dialect.orNow(p.now)).as('time'))
      .$if(!known, ask => ask.select(last.as('last_of_many')))
  })
  return async (now, known) => {
    const row = await read.first(query(`${known}`, known)({ now: givenTime(dialect, now) }))
    return { time: instantOf(row?.time ?? ''), many: known || row?.last_of_many != null }
  }
}

function createMemory(ask: Ask): (now: Instant | null, leavesOut: boolean) => Promise<PassedOver> {
  /** Before it nobody has anything due, but for those in `left`. */
  let front = FIRST
  /** Who was left out, and from when on there may be something due for them. */
  const left = new Map<string, Instant>()
  let asked = { at: Number.NEGATIVE_INFINITY, time: FIRST, many: false }
  let again = true
  /** How many milliseconds the last look at all took. */
  let took = 0

  const isSlow = () => took > SLOW_MILLISECONDS

  const forget = () => {
    front = FIRST
    left.clear()
  }

  /** All that is due, of which is known afterwards how long it took to look at. */
  const wholeLook = (): PassedOver => {
    const { looked, ended } = stopwatch()
    return {
      from: () => undefined,
      looked,
      went: () => {
        took = ended()
      },
    }
  }

  return async (now, leavesOut) => {
    const at = performance.now()
    if (!leavesOut && !isSlow()) return wholeLook()
    const isTime = at - asked.at >= Math.max(AGAIN_MILLISECONDS, took / PART_OF_THE_TIME)
    if (isTime || (isSlow() && !asked.many)) {
      asked = { at, ...(await ask(now, isSlow())) }
      again = true
      if (!asked.many) forget()
    }
    if (!asked.many) return wholeLook()
    const looksAgain = again
    const { looked, ended } = stopwatch()
    const old = instant(new Date(Date.parse(now ?? asked.time) - YOUNG_MILLISECONDS))

    return {
      looked,
      from(except) {
        if (looksAgain) return undefined
        let from = earlier(front, old)
        for (const [merchantId, since] of left) if (!except.has(merchantId)) from = earlier(from, since)
        // Years before the first have a sign.
        return from < '0' ? undefined : from
      },

      went(except, last) {
        if (looksAgain) {
          again = false
          took = ended()
        }
        const upTo = last === undefined ? old : earlier(last, old)
        // What had come back may go on behind it.
        const next = looksAgain || front < upTo ? upTo : front
        for (const merchantId of except) {
          if (!left.has(merchantId)) left.set(merchantId, earlier(front, next))
        }
        front = next
        for (const [merchantId, since] of left) {
          if (except.has(merchantId)) continue
          if (upTo >= front) left.delete(merchantId)
          else if (since < upTo) left.set(merchantId, upTo)
        }
        if (left.size > MOST_LEFT_OUT) forget()
      },
    }
  }
}

/** How many milliseconds it was until `looked`, or until `ended` where nobody said that. */
function stopwatch() {
  const begun = performance.now()
  let until: number | undefined
  return {
    looked: () => {
      until ??= performance.now()
    },
    ended: () => (until ?? performance.now()) - begun,
  }
}

const earlier = (one: Instant, other: Instant) => (one < other ? one : other)

/** When something was due; before all times where that cannot be read. */
export function dueAt(read: ReadDate | null | undefined): Instant {
  return isDate(read) ? instantOf(read) : FIRST
}
