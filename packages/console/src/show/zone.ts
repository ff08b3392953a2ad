import { Temporal } from 'temporal-polyfill'

/** As a field of a form has it, which knows no seconds where there are none. */
const FORM = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d)?)?$/

/**
 * The moment that a date, or a date and time, as a field of a form has it, names in a time zone; null for what names none. What
 * clocks show twice is the first of both, and what they pass over is as long after it: a day without a midnight begins then.
 */
export function instantIn(timeZone: string, text: string): Date | null {
  if (!FORM.test(text)) return null
  try {
    return new Date(Temporal.PlainDateTime.from(text).toZonedDateTime(timeZone).epochMilliseconds)
  } catch {
    return null
  }
}

/** The day that a moment falls in, in a time zone: `2026-11-20`. */
export function dayIn(timeZone: string, at: Date): string {
  return Temporal.Instant.fromEpochMilliseconds(at.getTime())
    .toZonedDateTimeISO(timeZone)
    .toPlainDate()
    .toString()
}

/** So many days after a day. */
export function daysAfter(day: string, days: number): string {
  return Temporal.PlainDate.from(day).add({ days }).toString()
}
