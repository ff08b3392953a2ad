import { areAtOne, type Reading, readClocks } from './reading.ts'
import { validTime } from './valid-time.ts'

/** What the storage said its time was. It was read somewhere between the question and the answer. */
export interface Sample {
  /** The storage's time at the answer, in milliseconds: this or up to `roundTrip` later. */
  earliest: number
  roundTrip: number
  /** This machine's clocks at the answer. */
  answered: Reading
}

/** A time that took longer to come is asked for again: too much may have happened meanwhile. */
const LONG = 1000
const MOST_TRIES = 3

/** Asks, and again where the answer was late or a clock stepped meanwhile; the one that came soonest counts. */
export async function takeSample(askTime: () => Promise<Date>): Promise<Sample> {
  let best: Sample | undefined
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const sample = await takeOne(askTime)
    best = best && best.roundTrip <= sample.roundTrip ? best : sample
    if (best.roundTrip <= LONG) break
  }
  return best as Sample
}

async function takeOne(askTime: () => Promise<Date>): Promise<Sample> {
  const asked = readClocks()
  const answer: unknown = await askTime()
  const answered = readClocks()
  const earliest = validTime(answer)
  if (earliest === null) throw new TypeError('time() of the storage must return a valid Date')
  const roundTrip = areAtOne(asked, answered) ? answered.steady - asked.steady : Number.POSITIVE_INFINITY
  return { earliest, roundTrip, answered }
}
