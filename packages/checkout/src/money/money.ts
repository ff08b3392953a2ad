import { amountPattern } from './amount-pattern.ts'

/** Amounts of one currency, as the customers of one locale read and type them. All numbers are whole cents. */
export interface Money {
  /** ISO 4217: `EUR`. */
  currency: string
  /** BCP 47: `nl-NL`. */
  locale: string
  /** Digits after the decimal sign: 2 of the euro, none of the yen. */
  digits: number
  /** With the currency: `€ 12,50`. Exact up to 2^53 - 1. */
  format(cents: number): string
  /** The cents of what a customer typed, without the currency; null for what is no amount. */
  parse(text: string): number | null
  /** What `parse` takes, as the `pattern` of an HTML input: whole units and fraction are its two groups. */
  pattern: string
  /** The code point of the locale's digit zero; the other nine follow it. */
  zero: number
  /** How to type an amount, to show to a customer: `12,50`. */
  example: string
  /** What stands for the currency in front of an amount or behind it: `€`. */
  sign: string
}

/**
 * How amounts are shown and typed. What is typed is read strictly: the locale's digits or 0 to 9, thousands grouped as the
 * locale groups them or not at all, at most as many decimals as the currency has. A point or a comma that can mean nothing
 * else counts as the decimal sign as well, since it is what the keypad of a phone from another country offers.
 *
 * Throws `RangeError` for a currency or a locale that is none.
 */
export function money(currency: string, locale: string): Money {
  const shown = new Intl.NumberFormat(locale, { style: 'currency', currency })
  const digits = shown.resolvedOptions().maximumFractionDigits ?? 2
  const zero = digitZero(locale)
  const pattern = amountPattern(locale, digits, zero)
  const whole = new RegExp(`^(?:${pattern})$`, 'v')
  const plain = new Intl.NumberFormat(locale, { minimumFractionDigits: digits, useGrouping: false })

  return {
    currency,
    locale,
    digits,
    pattern,
    zero,
    sign: shown.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? currency,
    example: plain.format(decimal(digits === 0 ? 1250 : 125 * 10 ** (digits - 1), digits)),
    format: cents => shown.format(decimal(cents, digits)),
    parse(text) {
      const [, units, fraction = ''] = whole.exec(text) ?? []
      if (units === undefined) return null
      const cents = Number(asciiDigits(units, zero) + asciiDigits(fraction, zero).padEnd(digits, '0'))
      return Number.isSafeInteger(cents) ? cents : null
    },
  }
}

/** Cents as units and decimals, exactly: a number would round what is large. */
function decimal(cents: number, digits: number): `${number}` {
  const text = String(cents).padStart(digits + 1, '0')
  return (digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`) as `${number}`
}

function digitZero(locale: string): number {
  const [zero, nine] = [0, 9].map(digit => new Intl.NumberFormat(locale).format(digit).codePointAt(0) ?? 48)
  // A numbering whose digits do not follow one another is typed in 0 to 9.
  return zero !== undefined && nine === zero + 9 ? zero : 48
}

function asciiDigits(text: string, zero: number): string {
  let digits = ''
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    const value = code >= zero && code <= zero + 9 ? code - zero : code - 48
    if (value >= 0 && value <= 9) digits += value
  }
  return digits
}
