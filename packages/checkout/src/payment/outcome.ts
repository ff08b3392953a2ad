import type { HttpsOption } from '@tillkit/http'
import { type CustomerStep, readStep } from '../standing/step.ts'
import type { KnownOutcome } from './processor.ts'

/** What a processor says of a payment, read. */
export type Answer = KnownOutcome | CustomerStep | { status: 'pending' } | { status: 'unknown' }

/**
 * What a processor's answer says, whatever object it came in: null where it says nothing. Each part is read once, and one
 * that cannot be read takes nothing from the others: an outcome that is known stays known. Throws a `TypeError` for a step
 * that no customer may be sent to.
 */
export function readAnswer(answer: unknown, https: HttpsOption): Answer | null {
  const given = part(answer, 'status')
  const status = typeof given === 'string' ? given.trim().toLowerCase() : given
  switch (status) {
    case 'completed':
      return { status: 'completed' }
    case 'error':
      // Any failure at all: the till keeps what fits.
      return { status: 'error', failure: part(answer, 'failure') as string }
    case 'pending':
      return { status: 'pending' }
    case 'unknown':
      return { status: 'unknown' }
    case 'redirect':
    case 'action':
      return readStep(status, { url: part(answer, 'url'), fields: part(answer, 'fields') }, https)
    default:
      return null
  }
}

/** Whether an answer ends the payment. */
export function isKnown(answer: Answer | null): answer is KnownOutcome {
  return answer?.status === 'completed' || answer?.status === 'error'
}

/** Whether an answer sends the customer elsewhere. */
export function isStep(answer: Answer | null): answer is CustomerStep {
  return answer?.status === 'redirect' || answer?.status === 'action'
}

function part(answer: unknown, name: string): unknown {
  try {
    return (answer as Record<string, unknown> | null | undefined)?.[name]
  } catch {
    return undefined
  }
}
