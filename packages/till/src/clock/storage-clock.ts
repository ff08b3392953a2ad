import { messageOf } from '../error-message.ts'
import type { Logger } from '../logging/logger.ts'
import type { Clock } from './clock.ts'
import { watchDifference } from './difference.ts'
import { areAtOne, type Reading, readClocks } from './reading.ts'
import { type Sample, takeSample } from './sample.ts'
import { within } from './within.ts'

/** What is known is learned again after so many milliseconds of use, and not believed unasked after so many. */
const REFRESHED_AFTER = 10_000
const BELIEVED_FOR = 60_000
/** How long a storage that does not answer is waited for, once its time was known. */
const LONGEST_WAIT = 3000
/** An answer that took longer than this bears nothing out. */
const LONGEST_ROUND_TRIP = 2000
/** How coarse a storage's clock may be: by so much it may answer less than was counted on to. */
const GRAIN = 50

/** The storage's time, in milliseconds, at one moment of this machine's clocks. */
interface Known {
  time: number
  at: Reading
}

/**
 * The storage's clock, learned at the first use and counted on from there by the clock that nobody sets, so that a jump
 * of this machine's time changes nothing. While it is used it is learned again beside the work; nothing waits for that,
 * except after a pause, a sleep of the machine, or a step of a clock, when what is known cannot be believed. Nothing
 * happens while it is not used. `mayAsk` false: only when the time is asked for.
 */
export function storageClock(
  askTime: () => Promise<Date>,
  { logger, mayAsk }: { logger: Logger; mayAsk: boolean },
): Clock {
  const watch = watchDifference(logger)
  let known: Known | undefined
  let last: Reading | undefined
  let learning: Promise<Known> | undefined
  let told = 0
  let scheduled = false
  let stopped = false

  const learn = (): Promise<Known> => {
    learning ??= takeSample(askTime)
      .then(sample => {
        watch(sample)
        known = { time: timeOf(sample, known), at: sample.answered }
        last = sample.answered
        return known
      })
      .finally(() => {
        learning = undefined
      })
    return learning
  }

  const learnBeside = () => {
    scheduled = false
    if (stopped || learning) return
    learn().catch(error => logger.debug({ error: messageOf(error) }, "the storage's time is not known anew"))
  }

  const tell = (date: Date): Date => {
    told = date.getTime()
    return date
  }

  const ageOf = ({ at }: Known, reading: Reading): number => {
    const isSteady = areAtOne(at, reading) && (!last || reading.steady >= last.steady)
    last = reading
    return isSteady ? reading.steady - at.steady : Number.POSITIVE_INFINITY
  }

  return {
    async now() {
      if (!known) return tell(dateAt(await learn()))
      const age = ageOf(known, readClocks())
      if (age > BELIEVED_FOR) await within(LONGEST_WAIT, learn().then(ignore, ignore))
      else if (age > REFRESHED_AFTER && mayAsk) learnBeside()
      return tell(dateAt(known))
    },

    known() {
      return known && ageOf(known, readClocks()) <= BELIEVED_FOR ? tell(dateAt(known)) : null
    },

    async asked() {
      // One that is under way may have been asked for earlier than this.
      await learning?.catch(() => {})
      const time = dateAt(await learn()).getTime()
      // What was dated by this clock a moment ago is not in the future now.
      return new Date(told > time && told - time <= GRAIN ? told : time)
    },

    given() {
      // After what is dated was sent, so that it need not wait for this.
      if (mayAsk && !scheduled && !(known && ageOf(known, readClocks()) <= REFRESHED_AFTER)) {
        scheduled = true
        setImmediate(learnBeside)
      }
      return null
    },

    stop() {
      stopped = true
    },
  }
}

/**
 * The storage's time at the answer of a sample, or a little before it, never after: so what is dated by it is due for
 * whoever asks the storage. What was known already is kept where the sample bears it out, since a late answer says less.
 */
function timeOf({ earliest, roundTrip, answered }: Sample, known: Known | undefined): number {
  if (!known || !areAtOne(known.at, answered) || roundTrip > LONGEST_ROUND_TRIP) return earliest
  const expected = known.time + answered.steady - known.at.steady
  return expected >= earliest && expected <= earliest + roundTrip ? expected : earliest
}

function dateAt({ time, at }: Known): Date {
  return new Date(Math.floor(time + Math.max(readClocks().steady - at.steady, 0)))
}

function ignore(): void {}
