import { isDate } from 'node:util/types'

const FIRST = Date.parse('0000-01-01T00:00:00Z')
const LAST = Date.parse('9999-12-31T23:59:59.999Z')

/** The milliseconds of a valid Date of the years 0 to 9999; null for anything else. */
export function validTime(answer: unknown): number | null {
  // A subclass, or another realm's Date, may answer otherwise than its time.
  const time = isDate(answer) ? Date.prototype.getTime.call(answer) : Number.NaN
  return time >= FIRST && time <= LAST ? time : null
}
