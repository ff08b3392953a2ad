/** How a locale writes numbers. */
export interface Signs {
  /** What it puts between thousands, in numbers and in amounts of money. */
  groups: string[]
  /** What it puts before decimals. */
  decimals: string[]
  /** How many digits its last group has, and those before it. */
  sizes: [number, number]
}

export function signsOf(locale: string): Signs {
  const numbers = partsOf(locale, {})
  // Some write money in another way than numbers.
  const all = [...numbers, ...partsOf(locale, { style: 'currency', currency: 'EUR' })]
  const of = (type: string) => [...new Set(all.filter(part => part.type === type).map(({ value }) => value))]
  const integers = numbers.filter(({ type }) => type === 'integer').map(({ value }) => [...value].length)
  return { groups: of('group'), decimals: of('decimal'), sizes: [integers.at(-1) ?? 3, integers.at(-2) ?? 3] }
}

function partsOf(locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormatPart[] {
  return new Intl.NumberFormat(locale, { useGrouping: 'always', ...options }).formatToParts(123456789012.5)
}
