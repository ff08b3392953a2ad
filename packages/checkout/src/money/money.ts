import { amountPatterns, unitsAndFraction } from './amount-pattern.ts'

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
  /** As a customer would type it: `1250,50`. What `parse` reads as the same. */
  typed(cents: number): string
  /** The cents of what a customer typed, without the currency; null for what is no amount, or can mean two. */
  parse(text: string): number | null
  /**
   * What a text that `parse` does not take may mean, to be asked about: `1.250` on an English page is one euro and a quarter, or
   * one thousand two hundred and fifty. Empty for what `parse` takes, and for what is no amount.
   */
  guesses(text: string): number[]
  /**
   * What `parse` takes, as the `pattern` of an HTML input. Units are its group 1, 3 or 6 and the fraction is its group 2, 5 or
   * 8, whichever there is.
   */
  pattern: string
  /** The code point of the locale's digit zero; the other nine follow it. */
  zero: number
  /** How to type an amount, to show to a customer: `12,50`. */
  example: string
  /** What stands for the currency in front of an amount or behind it: `€`. */
  sign: string
}

/**
 * How amounts are shown and typed. What is typed is read as the locale writes it: its digits or 0 to 9, thousands grouped as it
 * groups them or not at all, at most as many decimals as the currency has. The ways of other locales count where they can mean
 * nothing else: `12.50` in Dutch, since the keypad of a phone from another country has a point, or `1 250,50` in English.
 * What can be read in two ways is not guessed: `guesses` has what to ask.
 *
 * Throws `RangeError` for a currency or a locale that is none.
 */
export function money(currency: string, locale: string): Money {
  const shown = new Intl.NumberFormat(locale, { style: 'currency', currency })
  const digits = shown.resolvedOptions().maximumFractionDigits ?? 2
  const zero = digitZero(locale)
  const { clear: pattern, unclear } = amountPatterns(locale, digits, zero)
  const [clearly, unclearly] = [pattern, unclear].map(source => new RegExp(`^(?:${source})$`, 'v'))
  const plain = new Intl.NumberFormat(locale, { minimumFractionDigits: digits, useGrouping: false })
  const typed = (cents: number) => plain.format(decimal(cents, digits))

  function centsOf(units: string, fraction: string): number | null {
    const cents = Number(asciiDigits(units, zero) + asciiDigits(fraction, zero).padEnd(digits, '0'))
    return Number.isSafeInteger(cents) ? cents : null
  }

  function parse(text: string): number | null {
    const found = clearly?.exec(text)
    return found ? centsOf(...unitsAndFraction(found)) : null
  }

  function guesses(text: string): number[] {
    const [, before, after] = unclearly?.exec(text) ?? []
    if (before === undefined || after === undefined || parse(text) !== null) return []
    // Nobody begins a thousand with a zero, and no amount has more decimals than the currency, but for zeros.
    const thousands = asciiDigits(before, zero).startsWith('0') ? null : centsOf(before + after, '')
    const [decimals, rest] = [
      asciiDigits(after, zero).slice(0, digits),
      asciiDigits(after, zero).slice(digits),
    ]
    const fraction = digits > 0 && /^0*$/.test(rest) ? centsOf(before, decimals) : null
    return [thousands, fraction].filter(cents => cents !== null)
  }

  return {
    currency,
    locale,
    digits,
    pattern,
    zero,
    sign: shown.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? currency,
    example: typed(digits === 0 ? 1250 : 125 * 10 ** (digits - 1)),
    format: cents => shown.format(decimal(cents, digits)),
    typed,
    parse,
    guesses,
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
