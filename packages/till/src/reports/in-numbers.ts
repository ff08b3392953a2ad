import { exactSum } from '@tillkit/domain'

/** A report as it is handed out, of one as a store adds it up. */
type InNumbers<Report> = Report extends bigint
  ? number
  : Report extends (infer Item)[]
    ? InNumbers<Item>[]
    : Report extends object
      ? { [Name in keyof Report]: InNumbers<Report[Name]> }
      : Report

/** The same with numbers for sums. Throws `RangeError` for a sum that no number holds. */
export function inNumbers<Report>(report: Report): InNumbers<Report> {
  return converted(report) as InNumbers<Report>
}

function converted(value: unknown): unknown {
  if (typeof value === 'bigint') return exactSum(value)
  if (Array.isArray(value)) return value.map(converted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, converted(one)]))
}
