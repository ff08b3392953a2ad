import { setTimeout as sleep } from 'node:timers/promises'
import {
  type ChargeContext,
  type ChargeOutcome,
  idempotencyKey,
  type PaymentLookup,
  type PaymentProcessor,
} from '@tillkit/checkout'
import type { Payment, Till } from '@tillkit/till'
import type { Book } from './bank/book.ts'

/** What the simulated processor does, by the last two digits of a total; it completes every other. */
export const ODD_TOTALS: readonly (readonly [string, string])[] = [
  ['01', 'is refused'],
  ['02', 'takes five seconds'],
  ['03', 'is pending, and completed ten seconds later'],
  ['04', 'never gets an answer: it stays pending until the demo is started again'],
  ['05', 'is charged, but the answer gets lost: the bank is asked, and says so'],
]

/** From so many cents on a customer confirms the payment on the bank's own page. */
export const CONFIRM_FROM = 100_00

/** A processor that can be stopped. */
export interface SimulatedProcessor extends PaymentProcessor {
  lookup: PaymentLookup
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
  { book, bankUrl }: { book: Book; bankUrl: string },
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

  function confirmed(name: string): ChargeOutcome | null {
    const found = book.find(name)
    if (found === null) return null
    if (found.state === 'approved') return { status: 'completed' }
    if (found.state === 'open') return { status: 'redirect', url: `${bankUrl}/${encodeURIComponent(name)}` }
    return { status: 'error', failure: `${found.state}_at_bank` }
  }

  function confirm(
    { totalAmount: amount }: Payment,
    { idempotencyKey: name, merchant, returnUrl }: ChargeContext,
  ): ChargeOutcome {
    book.open(name, { amount, payee: merchant.name, returnUrl })
    return confirmed(name) ?? { status: 'pending' }
  }

  return {
    async charge(payment, context) {
      tell(payment)
      return payment.totalAmount < CONFIRM_FROM ? decide(payment) : confirm(payment, context)
    },

    // What the bank has never booked it may still be working on.
    lookup: payment =>
      confirmed(idempotencyKey(payment)) ?? ledger.get(entryOf(payment)) ?? { status: 'unknown' },

    async stop() {
      stopped.abort()
      await Promise.all(underway)
    },
  }
}

function entryOf({ merchantId, id }: Payment): string {
  return `${merchantId} ${id}`
}
