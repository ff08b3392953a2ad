import { TooManyRequests } from '../network/pace.ts'
import { NoAnswer } from '../network/question.ts'
import { CannotTry, type CheckResult } from '../report.ts'
import type { Check } from './check.ts'
import { Findings } from './findings.ts'
import { markOf } from './mark.ts'
import { NotTried } from './not-tried.ts'
import type { Rule } from './rule.ts'
import type { Session } from './session.ts'

/** A check that finds something while payments come in is run so many times in all. */
const ATTEMPTS = 3
/** Of checks one after the other without any answer: then there is nobody. */
const SILENT = 3

/** Runs checks one after the other, and returns what came of them and of the rules, by section. */
export async function runChecks(
  session: Session,
  checks: readonly Check[],
  rules: readonly Rule[],
  deadline: number,
  before = new Findings(),
  readMark = markOf,
): Promise<CheckResult[]> {
  const all = new Findings()
  all.add(before)
  let mark = await readMark(session)
  let silent = 0

  for (const check of checks) {
    if (performance.now() > deadline) {
      all.skip(check.name, 'the time of this run was over')
      continue
    }
    for (let attempt = 1; ; attempt++) {
      const outcome = { answered: true }
      const findings = await session.during(check.name, () => attemptOf(check, session, outcome))
      silent = outcome.answered ? 0 : silent + 1
      if (silent === SILENT) throw new CannotTry('the instance does not answer any more')
      if (findings.any && outcome.answered && attempt < ATTEMPTS) {
        const now = await readMark(session)
        const moved = now !== mark
        mark = now
        // A payment may have come in between two answers: what was found counts if it is found again.
        if (moved) continue
      }
      all.add(findings)
      break
    }
  }
  const results = [
    ...rules.map(rule => all.resultOf(rule, 'no answer of this kind was seen')),
    ...checks.map(check => all.resultOf(check, 'not tried')),
  ]
  return results.sort((a, b) => bySection(a.section, b.section))
}

async function attemptOf(check: Check, session: Session, outcome: { answered: boolean }): Promise<void> {
  try {
    await check.run(session)
  } catch (error) {
    if (error instanceof NotTried || error instanceof TooManyRequests) session.skipAll(error.message)
    else if (error instanceof NoAnswer) {
      outcome.answered = false
      session.differ(`no answer: ${error.message}`, { curl: `${session.instance.addresses.api}` })
    } else throw error
  }
}

function bySection(a: string, b: string): number {
  const numbers = (section: string) => section.split('.').map(Number)
  const [[a1 = 0, a2 = 0], [b1 = 0, b2 = 0]] = [numbers(a), numbers(b)]
  return a1 - b1 || a2 - b2
}
