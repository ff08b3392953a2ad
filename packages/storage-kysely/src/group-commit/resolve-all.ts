import type { Instant, Outcome, PaymentKey } from '@tillkit/domain'
import type { Resolved } from '@tillkit/storage'
import type { PaymentRow } from '../schema/payment-row.ts'
import type { Session } from '../session/session.ts'

/** An outcome of a payment, due to be delivered `now`, and the trace that it is of. */
export interface Ending {
  key: PaymentKey
  outcome: Outcome
  now: Instant | null
  traceparent?: string | null | undefined
}

/**
 * Writes outcomes of one merchant's payments, no two of one payment, with their deliveries; returns the payments that got
 * theirs. What is not pending is passed by, and what another has locked: nobody here waits for that.
 */
export type ResolveAll = (session: Session, merchantId: string, endings: Ending[]) => Promise<PaymentRow[]>

/** `resolve`, as one that has been waited for since then, by `performance.now()`. */
export type ResolveAlone = (
  key: PaymentKey,
  outcome: Outcome,
  now: Instant | null,
  traceparent?: string | null,
  since?: number,
) => Promise<Resolved | null>
