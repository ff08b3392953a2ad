import type { Instant, Outcome, PaymentKey } from '@tillkit/domain'
import type { Resolved } from '@tillkit/storage'
import type { EndedRow } from '../deliveries/handed-over.ts'
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
 * Writes outcomes of one merchant's payments, no two of one payment, with their deliveries; returns the payments that got
 * theirs. What is not pending is passed by, and what another has locked: nobody here waits for that.
 */
export type ResolveAll = (session: Session, merchantId: string, endings: Ending[]) => Promise<EndedRow[]>

/** `resolve`, as one that has been waited for since then, by `performance.now()`. */
export type ResolveAlone = (ending: Ending, since?: number) => Promise<Resolved | null>
