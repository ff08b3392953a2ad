import { type Money, money } from '../money/money.ts'
import type { Texts } from '../pages/texts.ts'

/** How pages speak to one customer. */
export interface Speech {
  texts: Texts
  /** Amounts as they are written and typed where the customer is from. */
  money: Money
  /** 12.5 per cent: `12.5%`, `12,5 %`. */
  percent: Intl.NumberFormat
  /** Dates in a time zone, which they name. */
  dates(timeZone: string): Intl.DateTimeFormat
}

export function speech(texts: Texts, currency: string, locale: string): Speech {
  const clocks = new Map<string, Intl.DateTimeFormat>()
  return {
    texts,
    money: money(currency, locale),
    percent: new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 }),
    dates(timeZone) {
      const known = clocks.get(timeZone)
      if (known) return known
      const made = dateFormat(locale, timeZone)
      clocks.set(timeZone, made)
      return made
    },
  }
}

/** Throws `RangeError` for a time zone that is none. */
export function dateFormat(locale: string, timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locale, {
    ...{ year: 'numeric', month: 'short', day: 'numeric' },
    ...{ hour: 'numeric', minute: '2-digit', timeZoneName: 'short', timeZone },
  })
}
