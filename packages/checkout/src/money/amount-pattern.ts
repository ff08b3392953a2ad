/** Signs that people type for one another: any of a line stands for the whole line. */
const ALIKE = [' \u00a0\u202f\u2009', "'’"]

/** The largest amount that can be typed has so many digits before the decimal sign. */
const MOST_DIGITS = 12

/**
 * A regular expression (flag `v`, to be anchored) of the amounts that a customer may type, with whole units and decimals as
 * its groups.
 */
export function amountPattern(locale: string, digits: number, zero: number): string {
  const { group, decimal, sizes } = signs(locale)
  const digit = zero === 48 ? '[0-9]' : `[0-9${String.fromCodePoint(zero)}-${String.fromCodePoint(zero + 9)}]`
  const [last, before] = sizes
  const grouped =
    group === ''
      ? ''
      : `|${digit}{1,3}(?:[${alike(group)}]${digit}{${before}})*[${alike(group)}]${digit}{${last}}`
  const units = `(${digit}{1,${MOST_DIGITS}}${grouped})`
  const fraction =
    digits === 0 ? '' : `(?:[${decimalSigns(decimal, group, digits, last)}](${digit}{1,${digits}}))?`
  return `\\s*${units}${fraction}\\s*`
}

/** The locale's grouping sign, its decimal sign, and how many digits its last group and those before it have. */
function signs(locale: string): { group: string; decimal: string; sizes: [number, number] } {
  const parts = new Intl.NumberFormat(locale, { useGrouping: 'always' }).formatToParts(123456789012.5)
  const of = (type: string) => parts.find(part => part.type === type)?.value ?? ''
  const integers = parts.filter(({ type }) => type === 'integer').map(({ value }) => [...value].length)
  return { group: of('group'), decimal: of('decimal'), sizes: [integers.at(-1) ?? 3, integers.at(-2) ?? 3] }
}

/** The other of point and comma is a decimal sign too, unless as many digits as the currency's could be a group. */
function decimalSigns(decimal: string, group: string, digits: number, groupSize: number): string {
  const others = ['.', ','].filter(sign => sign !== group || digits < groupSize)
  return [...new Set([decimal, ...others])].join('')
}

function alike(sign: string): string {
  return ALIKE.find(signs => signs.includes(sign)) ?? sign
}
