import { setTimeout as sleep } from 'node:timers/promises'
import type { Payment } from '@tillkit/till'
import { type Answer, isKnown, isStep } from '../payment/outcome.ts'
import { nameOf } from '../payment/payment-name.ts'
import type { KnownOutcome } from '../payment/processor.ts'
import type { Ask } from './ask.ts'
import type { CustomerStep } from './step.ts'

/** How a payment stands, for its customer. */
export interface Standing {
  /** The payment, with its outcome where there is one now; pending where it was given up by `failStale` while it is still being charged. */
  payment: Payment
  /** What the customer has to do elsewhere before it can end; null where that is nothing, or nobody can tell. */
  step: CustomerStep | null
  /**
   * The processor says that the customer was charged, and the payment is recorded as failed, by `failStale`: `onUnrecorded` has been
   * told, and the customer should not pay again.
   */
  disputed: boolean
}

/** Knows how payments stand that have no outcome yet, or one that nobody asked the processor for. */
export interface Standings {
  /** What `charge` answered: a step; or `pending`, and then the host says how it ends and the processor is not asked. */
  charged(payment: Payment, answer: CustomerStep | { status: 'pending' }): void
  /** That `charge` answered that the customer was charged, and the payment could not be recorded as completed. */
  paid(payment: Payment): void
  /** What `lookup` answered that is no outcome. */
  hear(payment: Payment, answer: Answer | null): void
  /** Asks the processor where that may tell, and waits for the answer for a while. Never rejects. */
  of(payment: Payment): Promise<Standing>
  close(): void
}

/** What is known of one payment. */
interface Known {
  step: CustomerStep | null
  /** It was told by `charge` and nobody has seen it yet: no need to ask. */
  unseen: boolean
  /** The processor says that the money moved. */
  paid: boolean
  /** The processor says that it is still at it. */
  underWay: boolean
  /** When it may be asked about again, by `performance.now()`: who looks before that waits for it. */
  next: number
  /** The question that is under way: resolves with the payment as it is then. */
  asking: Promise<Payment> | null
}

/** A customer who looks again and again has the processor asked once in so long. */
const PAUSE_MS = 1_000

/** The oldest is forgotten: what was forgotten is asked for. */
const MOST_KNOWN = 10_000
const MOST_ASKED_AT_ONCE = 100

interface StandingsOptions {
  waitSeconds: number
  /** Whether this process is charging it just now, and so will be told. */
  isCharging(payment: Payment): boolean
  /** Records an outcome that the processor tells of a payment that was read then, by `performance.now()`. */
  record(payment: Payment, outcome: KnownOutcome, knownAt: number): Promise<Payment>
}

/**
 * What a processor said last is kept in memory, and nothing depends on it: who comes to a process that knows nothing, after a
 * crash or behind a balancer, has the processor asked.
 *
 * @param ask Null for a processor that cannot be asked.
 */
export function createStandings(
  ask: Ask | null,
  { waitSeconds, isCharging, record }: StandingsOptions,
): Standings {
  const known = new Map<string, Known>()
  const end = new AbortController()
  let asked = 0

  function knownOf(payment: Payment): Known {
    const name = nameOf(payment)
    const found = known.get(name)
    if (found) return found
    for (const oldest of known.keys()) {
      if (known.size < MOST_KNOWN) break
      known.delete(oldest)
    }
    const fresh: Known = { step: null, unseen: false, paid: false, underWay: false, next: 0, asking: null }
    known.set(name, fresh)
    return fresh
  }

  function hear(payment: Payment, answer: Answer | null): void {
    // What does not tell takes nothing from what is known.
    if (answer === null || answer.status === 'unknown') return
    const of = knownOf(payment)
    of.step = isStep(answer) ? answer : null
    of.underWay = answer.status === 'pending'
  }

  async function question(ask: Ask, payment: Payment, of: Known): Promise<Payment> {
    const readAt = performance.now()
    const pause = of.next - readAt
    if (pause > 0) await sleep(pause, undefined, { signal: end.signal }).catch(() => {})
    const answer = await ask(payment, end.signal)
    if (end.signal.aborted) return payment
    if (!isKnown(answer)) {
      hear(payment, answer)
      return payment
    }
    Object.assign(of, {
      step: null,
      underWay: false,
      paid: answer.status === 'completed',
      next: Number.POSITIVE_INFINITY,
    })
    // Of one that failed because nobody knew, only that it was charged is news.
    return payment.status === 'error' && !of.paid ? payment : record(payment, answer, readAt)
  }

  function begin(ask: Ask, payment: Payment, of: Known): void {
    asked++
    of.asking = question(ask, payment, of).finally(() => {
      asked--
      of.asking = null
      of.next = Math.max(of.next, performance.now() + PAUSE_MS)
    })
  }

  async function latest(payment: Payment, of: Known): Promise<Payment> {
    if (of.asking === null) return payment
    const enough = new AbortController()
    const waited = sleep(waitSeconds * 1000, payment, { signal: enough.signal }).catch(() => payment)
    try {
      return await Promise.race([of.asking, waited])
    } finally {
      enough.abort()
    }
  }

  return {
    hear,

    paid(payment) {
      Object.assign(knownOf(payment), { paid: true, next: Number.POSITIVE_INFINITY })
    },

    charged(payment, answer) {
      const of = knownOf(payment)
      if (isStep(answer)) Object.assign(of, { step: answer, unseen: true })
      else of.next = Number.POSITIVE_INFINITY
    },

    async of(payment) {
      if (!isOpen(payment)) {
        known.delete(nameOf(payment))
        return { payment, step: null, disputed: false }
      }
      if (isCharging(payment)) return { payment: asUnderWay(payment), step: null, disputed: false }
      const of = knownOf(payment)
      const due = !of.unseen && of.asking === null && of.next < Number.POSITIVE_INFINITY
      of.unseen = false
      if (ask && due && asked < MOST_ASKED_AT_ONCE) begin(ask, payment, of)
      const now = await latest(payment, of)
      const step = now.status === 'pending' ? of.step : null
      const disputed = of.paid && now.status === 'error'
      return { payment: of.underWay && !disputed ? asUnderWay(now) : now, step, disputed }
    },

    close: () => end.abort(),
  }
}

/** One that was given up by `failStale` while it is being charged may still be paid: nobody is to pay again for it until that is known. */
function asUnderWay(payment: Payment): Payment {
  return isOpen(payment) ? { ...payment, status: 'pending', failure: null } : payment
}

/** Whether the processor may know more than the till. */
function isOpen({ status, failure }: Payment): boolean {
  return status === 'pending' || (status === 'error' && failure === 'stale')
}
