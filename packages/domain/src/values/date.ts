import { z } from 'zod'

/** UTC in whole seconds, `2026-11-20T09:30:00Z` (API 2.1). Strings of this form sort as the times they name. */
export type WireDate = string

/** Checks a `WireDate`. */
export const wireDateSchema = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/, 'must be UTC in whole seconds, such as 2026-11-20T09:30:00Z')
  .meta({ format: 'date-time' })

/** UTC in milliseconds, `2026-11-20T09:30:00.000Z`: when a delivery is due or was tried. */
export type Instant = string

/** The whole second that an instant falls in. */
export function secondOf(at: Instant): WireDate {
  return `${at.slice(0, 19)}Z`
}

/** The whole second that `date` falls in. */
export function wireDate(date: Date): WireDate {
  return secondOf(instant(date))
}

/** `date` to the millisecond. Throws for a clock that gives no valid time. */
export function instant(date: Date): Instant {
  if (!(date instanceof Date) || Number.isNaN(date.getTime())) {
    throw new TypeError('clock must return a valid Date')
  }
  return date.toISOString()
}

/** The moment `seconds` (a fraction is fine, negative is the past) after `from`. */
export function after(from: Date, seconds: number): Date {
  return new Date(from.getTime() + Math.round(seconds * 1000))
}

/** How many seconds `until` is after `from`; negative where it is before. */
export function secondsBetween(from: Instant, until: Instant): number {
  return (Date.parse(until) - Date.parse(from)) / 1000
}

/** The later of two dates. */
export function later(a: WireDate, b: WireDate): WireDate {
  return a > b ? a : b
}

const dateTime = z.iso.datetime({ offset: true }).or(z.iso.datetime({ offset: true, precision: -1 }))

const FIRST = Date.parse('0000-01-01T00:00:00Z')
const LAST = Date.parse('9999-12-31T23:59:59Z')

/**
 * The first whole second at or after an ISO 8601 date-time with `Z` or an offset; null for anything else. Since payments
 * are dated in whole seconds, it stands for the given time in "at or after" as in "before".
 */
export function parseDateTime(text: string): WireDate | null {
  if (!dateTime.safeParse(text).success) return null
  // A Date has milliseconds; a fraction may be finer.
  const fraction = /\.\d*[1-9]/.test(text) ? 1000 : 0
  const second = Date.parse(text.replace(/\.\d+/, '')) + fraction
  if (Number.isNaN(second)) return null
  return wireDate(new Date(Math.min(Math.max(second, FIRST), LAST)))
}

/** A moment as a caller gives it, a `Date` or an ISO 8601 date-time with `Z` or an offset, to the millisecond. */
export const moment = z
  .custom<Date | string>(
    value => (value instanceof Date ? !Number.isNaN(value.getTime()) : dateTime.safeParse(value).success),
    'must be a Date or an ISO 8601 date-time with Z or an offset (+01:00)',
  )
  .transform(value => instant(new Date(Math.min(Math.max(new Date(value).getTime(), FIRST), LAST))))
