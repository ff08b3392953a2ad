import { inspect } from 'node:util'
import type { Refusal } from './entry.ts'
import { MARK } from './mark.ts'

/** The classes of errors that Tillkit promises. */
export const OURS: ReadonlySet<string> = new Set(['TillError', 'DatabaseError', 'CommitUnknownError'])

/** An error as a journal keeps it. */
export function refusalOf(error: unknown): Refusal {
  const { name, message } = error instanceof Error ? error : { name: typeof error, message: `${error}` }
  const text = inspect(error, { depth: 10 })
  const codes: string[] = []
  for (let cause = error; cause instanceof Error && codes.length < 5; cause = cause.cause) {
    const { code } = cause as { code?: unknown }
    if (code !== undefined) codes.push(`${code}`)
  }
  const leaks = text.includes(MARK)
  return {
    ...{ name, message: message.slice(0, 300), codes, leaks },
    ...((leaks || !OURS.has(name)) && { text: text.slice(0, 4000) }),
  }
}
