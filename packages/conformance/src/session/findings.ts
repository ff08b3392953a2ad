import type { CheckResult, Difference } from '../report.ts'

/** So many differences of a check are kept; of the others it is known how many there were. */
const KEPT = 5

/** What was found so far, by the names of checks and rules. */
export class Findings {
  readonly differences = new Map<string, { kept: Difference[]; count: number }>()
  /** How many answers a rule looked at, or how many requests a check took. */
  readonly looked = new Map<string, number>()
  readonly notTried = new Map<string, string[]>()
  /** Those that could not be tried at all. */
  readonly untried = new Set<string>()

  get any(): boolean {
    return this.differences.size > 0
  }

  differ(name: string, difference: Difference): void {
    const found = this.differences.get(name) ?? { kept: [], count: 0 }
    found.count++
    if (found.kept.length < KEPT) found.kept.push(difference)
    this.differences.set(name, found)
  }

  look(name: string): void {
    this.looked.set(name, (this.looked.get(name) ?? 0) + 1)
  }

  skip(name: string, why: string): void {
    const reasons = this.notTried.get(name) ?? []
    if (!reasons.includes(why)) this.notTried.set(name, [...reasons, why])
  }

  /** Takes in what another has found. */
  add(other: Findings): void {
    for (const [name, { kept, count }] of other.differences) {
      const found = this.differences.get(name) ?? { kept: [], count: 0 }
      this.differences.set(name, {
        kept: [...found.kept, ...kept].slice(0, KEPT),
        count: found.count + count,
      })
    }
    for (const [name, count] of other.looked) this.looked.set(name, (this.looked.get(name) ?? 0) + count)
    for (const name of other.untried) this.untried.add(name)
    for (const [name, reasons] of other.notTried) for (const why of reasons) this.skip(name, why)
  }

  /** The result of a check or a rule. */
  resultOf(of: Pick<CheckResult, 'name' | 'section' | 'title'>, whyUntried: string): CheckResult {
    const { name, section, title } = of
    const found = this.differences.get(name)
    const requests = this.looked.get(name) ?? 0
    const notTried = this.notTried.get(name) ?? []
    const untried = found === undefined && (requests === 0 || this.untried.has(name))
    return {
      name,
      section,
      title,
      status: found ? 'differs' : untried ? 'not_tried' : 'passed',
      requests,
      notTried: untried && notTried.length === 0 ? [whyUntried] : notTried,
      differences: found?.kept ?? [],
      differing: found?.count ?? 0,
    }
  }
}
