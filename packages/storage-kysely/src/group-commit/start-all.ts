import type { Instant, NewPayment, WireDate } from '@tillkit/domain'
import type { Started } from '@tillkit/storage'
import type { Session } from '../session/session.ts'

/**
 * Records attempts of one merchant, none of them strict and no two of one key, in their order. Those whose scan code is
 * suspended or whose attempt key is known are passed by, and all where the merchant is suspended or unknown.
 */
export type StartAll = (
  session: Session,
  merchantId: string,
  payments: NewPayment[],
  now: Instant | null,
) => Promise<StartedOne[]>

/** An attempt, and what it is dated by where that is given. */
export interface Start {
  payment: NewPayment
  now: Instant | null
}

/** Records attempts of as many merchants, none of them strict. Those are passed by that have to be looked at alone. */
export type StartOfEach = (session: Session, starts: Start[]) => Promise<StartedOne[]>

/** What was recorded of the attempt at a place, from 0 on. */
export interface StartedOne {
  place: number
  id: number
  date: WireDate
}

/** `start`, as one that has been waited for since then, by `performance.now()`. */
export type StartAlone = (payment: NewPayment, now: Instant | null, since?: number) => Promise<Started>
