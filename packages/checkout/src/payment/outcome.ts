import type { LookupAnswer } from '@tillkit/till'
import type { KnownOutcome } from './processor.ts'

/**
 * What a processor's answer says, whatever object it came in: null where it says nothing. Each part is read once, and one
 * that cannot be read takes nothing from the others: an outcome that is known stays known.
 */
export function readAnswer(answer: unknown): LookupAnswer | null {
  const status = part(answer, 'status')
  switch (typeof status === 'string' ? status.trim().toLowerCase() : status) {
    case 'completed':
      return { status: 'completed' }
    case 'error':
      // Any failure at all: the till keeps what fits.
      return { status: 'error', failure: part(answer, 'failure') as string }
    case 'pending':
      return { status: 'pending' }
    case 'unknown':
      return { status: 'unknown' }
    default:
      return null
  }
}

/** Whether an answer ends the payment. */
export function isKnown(answer: LookupAnswer | null): answer is KnownOutcome {
  return answer?.status === 'completed' || answer?.status === 'error'
}

function part(answer: unknown, name: string): unknown {
  try {
    return (answer as Record<string, unknown> | null | undefined)?.[name]
  } catch {
    return undefined
  }
}
