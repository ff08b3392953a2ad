/** One thing that is not as the contract says. */
export interface Difference {
  /** A sentence: what was expected, and what came. */
  what: string
  /** The request that shows it, as a curl line with `$KEY` where the key goes. */
  request: string
}

/** What came of one check. */
export interface CheckResult {
  /** Its name, which stays the same from version to version. */
  name: string
  /** The section of docs/api.md that it checks. */
  section: string
  /** What it checks, in a few words. */
  title: string
  /** `not_tried` where the instance, or what was allowed, gave nothing to try it on. */
  status: 'passed' | 'differs' | 'not_tried'
  /** How many requests it took; of a rule that each answer is held to, how many answers it looked at. */
  requests: number
  /** What could not be tried, and why. */
  notTried: string[]
  /** What differs: the first few of them. */
  differences: Difference[]
  /** How many differ in all. */
  differing: number
}

/** What came of all checks. */
export interface ConformanceReport {
  /** The address that was tried. */
  url: string
  /** The address that it was compared with, where it was. */
  comparedWith?: string
  /** True where nothing differs, and the run was not cut short. */
  conforms: boolean
  /** True where the run had to end before all was tried: its time was over, or the instance wanted to be waited for longer. */
  cutShort: boolean
  /** How many requests were sent. */
  requests: number
  /** How many checks found nothing that differs. */
  passed: number
  /** How many found something. */
  differing: number
  /** How many could not be tried. */
  notTried: number
  /** Each check, in the order of docs/api.md. */
  checks: CheckResult[]
}

/** The instance could not be tried at all: nobody answers, or the key is refused. */
export class CannotTry extends Error {}

/** What came of checks, and whether all of them could be gone through. */
export type Results = Pick<ConformanceReport, 'checks' | 'cutShort'>

/** Counts the results of checks. */
export function reportOf(url: string, requests: number, { checks, cutShort }: Results): ConformanceReport {
  const count = (status: CheckResult['status']) => checks.filter(check => check.status === status).length
  return {
    url,
    conforms: count('differs') === 0 && !cutShort,
    cutShort,
    requests,
    passed: count('passed'),
    differing: count('differs'),
    notTried: count('not_tried'),
    checks,
  }
}
