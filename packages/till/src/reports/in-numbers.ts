/** A report as it is handed out, of one as a store adds it up. */
type InNumbers<Report> = Report extends bigint
  ? number
  : Report extends (infer Item)[]
    ? InNumbers<Item>[]
    : Report extends object
      ? { [Name in keyof Report]: InNumbers<Report[Name]> }
      : Report

/** The same with numbers for sums. Throws `RangeError` for a sum that no number holds: it would be wrong, and look right. */
export function inNumbers<Report>(report: Report): InNumbers<Report> {
  return converted(report) as InNumbers<Report>
}

function converted(value: unknown): unknown {
  if (typeof value === 'bigint') return numberOf(value)
  if (Array.isArray(value)) return value.map(converted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, converted(one)]))
}

function numberOf(sum: bigint): number {
  if (sum <= Number.MAX_SAFE_INTEGER) return Number(sum)
  throw new RangeError(`a sum of ${sum} is more than 2^53 - 1, up to which amounts are exact`)
}
