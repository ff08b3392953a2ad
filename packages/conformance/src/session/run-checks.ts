import { TooManyRequests } from '../network/pace.ts'
import { NoAnswer } from '../network/question.ts'
import { CannotTry, type Results } from '../report.ts'
import type { Check } from './check.ts'
import { Findings } from './findings.ts'
import { markOf } from './mark.ts'
import { CutShort, NotTried } from './not-tried.ts'
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
): Promise<Results> {
  const all = new Findings()
  all.add(before)
  let mark = await readMark(session)
  let silent = 0
  let cutShort = false

  for (const check of checks) {
    if (performance.now() > deadline) {
      all.skip(check.name, 'the time of this run was over')
      cutShort = true
      continue
    }
    for (let attempt = 1; ; attempt++) {
      const outcome = { answered: true, cutShort: false }
      const findings = await session.during(check.name, () => attemptOf(check, session, outcome))
      silent = outcome.answered ? 0 : silent + 1
      cutShort ||= outcome.cutShort
      if (silent === SILENT) throw new CannotTry('the instance does not answer any more')
      const mayAsk = outcome.answered && !outcome.cutShort && performance.now() < deadline
      if (findings.any && mayAsk && attempt < ATTEMPTS) {
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
  return { checks: results.sort((a, b) => bySection(a.section, b.section)), cutShort }
}

/** How an attempt went beside what it found. */
interface Outcome {
  answered: boolean
  cutShort: boolean
}

async function attemptOf(check: Check, session: Session, outcome: Outcome): Promise<void> {
  try {
    await check.run(session)
  } catch (error) {
    outcome.cutShort = error instanceof CutShort || error instanceof TooManyRequests
    if (error instanceof NotTried || error instanceof TooManyRequests) session.skipAll(error.message)
    else if (error instanceof NoAnswer) {
      outcome.answered = false
      session.differ(`no answer: ${error.message}`, { curl: `${session.instance.addresses.api}` })
    } else session.differLast(`what was answered cannot be looked at: ${error}`)
  }
}

function bySection(a: string, b: string): number {
  const numbers = (section: string) => section.split('.').map(Number)
  const [[a1 = 0, a2 = 0], [b1 = 0, b2 = 0]] = [numbers(a), numbers(b)]
  return a1 - b1 || a2 - b2
}
