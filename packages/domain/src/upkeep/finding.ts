/**
 * How bad a finding is: a `problem` may lose payments or stop them, a `warning` will want somebody soon, a `note` is worth
 * knowing, and `ok` was looked at and is right.
 */
export type FindingLevel = 'ok' | 'note' | 'warning' | 'problem'

/** All levels, the least bad first. */
export const FINDING_LEVELS: readonly FindingLevel[] = ['ok', 'note', 'warning', 'problem']

/** One thing that was looked at. No text of it holds a secret, a password or what a payment says. */
export interface Finding {
  /** How bad it is. */
  level: FindingLevel
  /** What was looked at, for programs: `migrations`, `indexes`, `durability`. Several findings may have one. */
  check: string
  /** What was found, in one sentence. */
  says: string
  /** What to do about it; null where there is nothing to be done. */
  advice: string | null
}

type MakeFinding = (says: string, advice?: string | null) => Finding

/** What makes the findings of one check, by their levels. */
export function findingsOf(check: string): Record<FindingLevel, MakeFinding> {
  const finding =
    (level: FindingLevel): MakeFinding =>
    (says, advice = null) => ({ level, check, says, advice })
  return {
    ok: finding('ok'),
    note: finding('note'),
    warning: finding('warning'),
    problem: finding('problem'),
  }
}

/** The worst of the levels; `ok` of none. */
export function worstOf(findings: readonly Pick<Finding, 'level'>[]): FindingLevel {
  const ranks = findings.map(({ level }) => FINDING_LEVELS.indexOf(level))
  return FINDING_LEVELS[Math.max(0, ...ranks)] ?? 'ok'
}
