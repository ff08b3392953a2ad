import type { Instant, Outcome, PaymentKey } from '@tillkit/domain'
import type { Resolved } from '@tillkit/storage'
import type { EndedRow } from '../deliveries/outbox/handed-over.ts'
import type { Session } from '../session/session.ts'

/** An outcome of a payment and how its delivery is written: due `now`, or the caller's own until `leaseUntil`. */
export interface Ending {
  key: PaymentKey
  outcome: Outcome
  now: Instant | null
  traceparent?: string | null | undefined
  leaseUntil?: Instant | null | undefined
}

/**
 * Writes outcomes, no two of one payment, with their deliveries; returns the payments at the places of their outcomes. Undefined
 * is what was passed by: what is not pending, and what another has locked. Nobody here waits for that.
 */
export type ResolveAll = (session: Session, endings: Ending[]) => Promise<(EndedRow | undefined)[]>

/** `resolve`, as one that has been waited for since then, by `performance.now()`. */
export type ResolveAlone = (ending: Ending, since?: number) => Promise<Resolved | null>
