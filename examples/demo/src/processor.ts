import { setTimeout as sleep } from 'node:timers/promises'
import type { ChargeOutcome, PaymentProcessor } from '@tillkit/checkout'
import type { Lookup, Payment, Till } from '@tillkit/till'

/** What the simulated processor does, by the last two digits of a total; it completes every other. */
export const ODD_TOTALS: readonly (readonly [string, string])[] = [
  ['01', 'is refused'],
  ['02', 'takes five seconds'],
  ['03', 'is pending, and completed ten seconds later'],
  ['04', 'never gets an answer: it stays pending until the demo is started again'],
  ['05', 'is charged, but the answer gets lost: the bank is asked, and says so'],
]

/** A processor that can be stopped. */
export interface SimulatedProcessor extends PaymentProcessor {
  lookup: Lookup
  /** Lets go of what it was still to answer: those payments stay pending and are taken up at the next start. */
  stop(): Promise<void>
}

/**
 * Stands in for a card processor. Seconds are real at a pace of 4, as those of the shoppers.
 *
 * @param tell Called with each payment that a customer starts on the page.
 */
export function simulatedProcessor(
  till: Till,
  pace: number,
  tell: (payment: Payment) => void,
): SimulatedProcessor {
  const stopped = new AbortController()
  const underway = new Set<Promise<void>>()
  /** What the bank knows of, by payment. */
  const ledger = new Map<string, ChargeOutcome>()
  const seconds = (count: number) => sleep(count * pace * 250, undefined, { signal: stopped.signal })

  async function completeLater(payment: Payment): Promise<void> {
    try {
      await seconds(10)
      tell(await till.payments.complete(payment))
    } catch (error) {
      if ((error as Error).name !== 'AbortError') console.error(`a payment was not completed: ${error}`)
    }
  }

  async function decide(payment: Payment): Promise<ChargeOutcome> {
    switch (payment.totalAmount % 100) {
      case 1:
        return { status: 'error', failure: 'card_declined' }
      case 2:
        await seconds(5)
        return { status: 'completed' }
      case 3: {
        const later = completeLater(payment).finally(() => underway.delete(later))
        underway.add(later)
        return { status: 'pending' }
      }
      case 4:
        await seconds(3600)
        throw new Error('no answer')
      case 5:
        ledger.set(entryOf(payment), { status: 'completed' })
        throw new Error('the connection to the bank was lost')
      default:
        return { status: 'completed' }
    }
  }

  return {
    async charge(payment) {
      tell(payment)
      return decide(payment)
    },

    // What the bank has never booked it may still be working on.
    lookup: payment => ledger.get(entryOf(payment)) ?? { status: 'unknown' },

    async stop() {
      stopped.abort()
      await Promise.all(underway)
    },
  }
}

function entryOf({ merchantId, id }: Payment): string {
  return `${merchantId} ${id}`
}
