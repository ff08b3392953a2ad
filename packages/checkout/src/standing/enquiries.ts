import { setTimeout as sleep } from 'node:timers/promises'
import type { Payment } from '@tillkit/till'
import { type Answer, isKnown } from '../payment/outcome.ts'
import { nameOf } from '../payment/payment-name.ts'
import type { KnownOutcome } from '../payment/processor.ts'
import type { Ask } from './ask.ts'

/** Asks a processor what became of charges that it gave no answer to. */
export interface Enquiries {
  /** Asks until there is an outcome or the last time was in vain: then `till.payments.reconcile` is left. */
  begin(payment: Payment): void
  /** The answer came after all. */
  end(payment: Payment): void
  close(): void
}

/** Seconds before each question: the first while the customer looks at the page, the last when a processor may be back. */
const PAUSES = [1, 5, 30, 300]

/** A processor that is down leaves one for each press: the rest is `reconcile`'s. */
const MOST = 1_000

/**
 * @param ask Null for a processor that cannot be asked.
 * @param hear Is told each answer that is no outcome.
 */
export function createEnquiries(
  ask: Ask | null,
  record: (payment: Payment, outcome: KnownOutcome) => Promise<unknown>,
  hear: (payment: Payment, answer: Answer | null) => void,
): Enquiries {
  const open = new Map<string, AbortController>()

  async function enquire(ask: Ask, payment: Payment, signal: AbortSignal): Promise<void> {
    for (const pause of PAUSES) {
      await sleep(pause * 1000, undefined, { signal, ref: false })
      const answer = await ask(payment, signal)
      if (signal.aborted) return
      if (isKnown(answer)) return void (await record(payment, answer))
      hear(payment, answer)
    }
  }

  return {
    begin(payment) {
      if (ask === null || open.size >= MOST || open.has(nameOf(payment))) return
      const stop = new AbortController()
      open.set(nameOf(payment), stop)
      void enquire(ask, payment, stop.signal)
        .catch(() => {}) // ended: nobody waits for it
        .finally(() => open.delete(nameOf(payment)))
    },
    end: payment => open.get(nameOf(payment))?.abort(),
    close() {
      for (const stop of open.values()) stop.abort()
    },
  }
}
