import { type Finding, findingsOf } from '@tillkit/domain'
import { many } from './many.ts'

const { warning, problem } = findingsOf('locks')

/** A transaction that has been open for long: a problem once others wait for what it holds. */
export function longTransaction(found: {
  /** As the server tells. */
  who: string
  seconds: number
  /** How many sessions wait for it. */
  waiting: number
  /** What it holds; null where the server does not tell. */
  holds: string | null
  /** The statement that ends it. */
  end: string
}): Finding {
  const { who, seconds, waiting, holds, end } = found
  const says = `A transaction has been open for ${seconds} s (${who})${holds ? `, and holds ${holds}` : ''}`
  const advice = `See why that program does not end it; this ends it: ${end}`
  if (waiting === 0) return warning(`${says}.`, advice)
  return problem(`${says}: ${many(waiting, 'session')} ${waiting === 1 ? 'waits' : 'wait'} for it.`, advice)
}
