import { signsOf } from './signs.ts'

/** The largest amount that can be typed has so many digits before the decimal sign. */
const MOST_DIGITS = 12

/** Signs that somebody, somewhere, puts between thousands; each line is one sign that has several forms. */
const SPACES = ' \u00a0\u202f\u2009'
const APOSTROPHES = "'’"

/** What customers type, as two regular expressions (flag `v`, to be anchored). */
export interface AmountPatterns {
  /** Amounts that can be read in one way only. `unitsAndFraction` finds their digits. */
  clear: string
  /** A sign and three digits, which are thousands to one and decimals to another: the digits before and after are its groups. */
  unclear: string
}

/**
 * How amounts are read in a locale and a currency of so many decimals. The locale's own signs mean what they mean there. Any
 * other way to group thousands or to set off decimals counts where it can mean nothing else. A point or a comma before three
 * digits can, unless the locale has it: groups by it where no amount has three decimals, or sets off decimals by it where it has.
 */
export function amountPatterns(locale: string, digits: number, zero: number): AmountPatterns {
  const { groups, decimals, sizes } = signsOf(locale)
  const digit = zero === 48 ? '[0-9]' : `[0-9${letters(zero, zero + 9)}]`
  const first = zero === 48 ? '[1-9]' : `[1-9${letters(zero + 1, zero + 9)}]`
  const before = classOf(['.', ',', ...decimals])
  const between = classOf(['.', ',', ...APOSTROPHES, ...SPACES, ...groups])
  const fraction = (sign: string) => (digits === 0 ? '()' : `(?:${sign}(${digit}{1,${digits}}))?`)

  const known = digits < 3 ? groups : decimals
  const doubtful = ['.', ','].filter(sign => !known.includes(sign))
  const unclear = `\\s*(${digit}{1,3})[.,](${digit}{3})\\s*`
  const doubt =
    doubtful.length === 0 ? '' : `(?!\\s*${first}${digit}{0,2}${classOf(doubtful)}${digit}{3}\\s*$)`

  const plain = `(${digit}{1,${MOST_DIGITS}})${fraction(before)}`
  const grouped = `(${first}${digit}{0,2}(${between})${digit}{3}(?:\\4${digit}{3}){0,2})${fraction(`(?!\\4)${before}`)}`
  const [last, inner] = sizes
  const ownSizes =
    inner === 3
      ? ''
      : `|(${first}${digit}{0,${inner - 1}}(${between})(?:${digit}{${inner}}\\7){0,4}${digit}{${last}})${fraction(`(?!\\7)${before}`)}`
  return { clear: `${doubt}\\s*(?:${plain}|${grouped}${ownSizes})\\s*`, unclear }
}

/** The digits of an amount that the pattern of clear ones found, before the decimal sign and after it. */
export function unitsAndFraction(found: readonly (string | undefined)[]): [string, string] {
  return [found[1] ?? found[3] ?? found[6] ?? '', found[2] ?? found[5] ?? found[8] ?? '']
}

function letters(from: number, to: number): string {
  return `${String.fromCodePoint(from)}-${String.fromCodePoint(to)}`
}

/** Each sign once: two of a kind side by side mean something in a class. */
function classOf(signs: readonly string[]): string {
  return `[${[...new Set(signs)].join('')}]`
}
