/** How amounts, numbers and moments are written, for people. */
export interface Formats {
  /** Cents with their currency: `€12.50`. Exact up to 2^53 - 1. */
  amount(cents: number): string
  /** The same in little room, rounded: `€1.2K`. */
  short(cents: number): string
  /** A whole number, grouped. */
  count(number: number): string
  /** A part of a whole, from 0 to 1, as a percentage; a dash for null, where there is no whole. */
  share(part: number | null): string
  /** A date and time to the second. */
  moment(at: Date): string
  /** The hour that a moment begins: `09:00`. */
  hour(at: Date): string
  /** A day in words. */
  day(at: Date): string
  /** The zone that all of them are in. */
  timeZone: string
}

/** Throws `RangeError` for a currency, a locale or a time zone that is none. */
export function createFormats(currency: string, locale: string, timeZone: string): Formats {
  const amounts = new Intl.NumberFormat(locale, { style: 'currency', currency })
  const digits = amounts.resolvedOptions().maximumFractionDigits ?? 2
  const short = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    notation: 'compact',
    minimumFractionDigits: 0,
    maximumFractionDigits: 1,
  })
  const counts = new Intl.NumberFormat(locale)
  const shares = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })
  const moments = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium', timeZone })
  const hours = new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone })
  const days = new Intl.DateTimeFormat(locale, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone,
  })
  return {
    amount: cents => amounts.format(decimal(cents, digits)),
    short: cents => short.format(decimal(cents, digits)),
    count: number => counts.format(number),
    share: part => (part === null ? '–' : shares.format(part)),
    moment: at => moments.format(at),
    hour: at => hours.format(at),
    day: at => days.format(at),
    timeZone,
  }
}

/** Cents as units and decimals, exactly: a number would round what is large. */
function decimal(cents: number, digits: number): `${number}` {
  const text = String(Math.abs(cents)).padStart(digits + 1, '0')
  const units = digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
  return `${cents < 0 ? '-' : ''}${units}` as `${number}`
}
