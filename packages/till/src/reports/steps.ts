import { parseDateTime, shortened, TillError, type WireDate, wireDate } from '@tillkit/domain'
import { Temporal } from 'temporal-polyfill'
import type { TakingsOptions } from './calls.ts'

/** How many hours or days there are at most: a month by hours, or more than two years by days. */
const MOST = 1000

const QUARTER = 15 * 60_000
const DATE = /^\d{4}-\d\d-\d\d$/

/** Of other years dates are nowhere or may have no form on the wire, and clocks were set by the sun. */
const YEARS = { first: 1970, last: 9998 }

/** When each hour or day begins, and when the last ends. Throws `invalid_input` naming the option that is wrong. */
export function stepsOf({ from, to, by, timeZone }: TakingsOptions): WireDate[] {
  assertTimeZone(timeZone)
  const [first, end] = [instantOf('from', from, timeZone), instantOf('to', to, timeZone)]
  if (first >= end) throw refused('from must be before to')
  const next = by === 'day' ? days(first, timeZone) : hours(first, timeZone)
  const bounds: WireDate[] = []
  for (const bound of next) {
    if (bound % QUARTER !== 0) {
      throw refused(
        `timeZone ${shortened(timeZone)} had an offset of no whole quarters of an hour ${wireDate(new Date(bound))}`,
      )
    }
    bounds.push(wireDate(new Date(bound)))
    if (bound >= end) break
    if (bounds.length > MOST) throw refused(`to must be at most ${MOST} ${by}s after from`)
  }
  return bounds
}

function assertTimeZone(timeZone: string): void {
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(timeZone)
  } catch {
    throw refused('timeZone must be the IANA name of a time zone, such as Europe/Berlin')
  }
}

/** In milliseconds since 1970. */
function instantOf(name: 'from' | 'to', text: string, timeZone: string): number {
  const milliseconds = millisecondsOf(name, text, timeZone)
  if (milliseconds === null) {
    throw refused(
      `${name} must be an ISO 8601 date-time with Z or an offset (+01:00), or a date such as 2026-11-20`,
    )
  }
  const year = new Date(milliseconds).getUTCFullYear()
  if (year < YEARS.first || year > YEARS.last) {
    throw refused(`${name} must be in the years ${YEARS.first} to ${YEARS.last}`)
  }
  return milliseconds
}

/** Payments are dated in whole seconds: a part of one belongs to the step that it lies in. */
function millisecondsOf(name: 'from' | 'to', text: string, timeZone: string): number | null {
  if (!DATE.test(text)) {
    const date = text.length <= 64 ? parseDateTime(text) : null
    if (date === null) return null
    return Date.parse(name === 'to' ? date : text.replace(/\.\d+/, ''))
  }
  try {
    return Temporal.PlainDate.from(text).toZonedDateTime(timeZone).epochMilliseconds
  } catch {
    return null
  }
}

const refused = (message: string) => new TillError('invalid_input', message)

/** When days begin, from the one on that an instant lies in. Where clocks skip midnight, or a whole day, so do they. */
function* days(instant: number, timeZone: string): Generator<number> {
  const first = zoned(instant, timeZone).toPlainDate()
  let last = Number.NEGATIVE_INFINITY
  for (let n = 0; ; n++) {
    const begin = first.add({ days: n }).toZonedDateTime(timeZone).epochMilliseconds
    if (begin > last) yield begin
    last = begin
  }
}

/**
 * When clocks show minute 0, from the last time on up to an instant. Where they are changed by half an hour, as on Lord Howe
 * Island, there is an hour and a half in between.
 */
function* hours(instant: number, timeZone: string): Generator<number> {
  const pastHour = (at: number) => {
    const { minute, second } = zoned(at, timeZone)
    return (minute * 60 + second) * 1000
  }
  let begin = instant
  for (let past = pastHour(begin); past > 0; past = pastHour(begin)) begin -= past
  while (true) {
    yield begin
    begin += 3_600_000
    for (let past = pastHour(begin); past > 0; past = pastHour(begin)) begin += 3_600_000 - past
  }
}

function zoned(instant: number, timeZone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timeZone)
}
