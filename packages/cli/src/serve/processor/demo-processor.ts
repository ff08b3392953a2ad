import { setTimeout as sleep } from 'node:timers/promises'
import type { ChargeOutcome } from '@tillkit/checkout'
import type { Lookup, Payment } from '@tillkit/till'
import type { LoadedProcessor } from './loaded-processor.ts'

/** What it does, by the last two digits of a total in cents; it completes every other. */
export const ODD_TOTALS: readonly (readonly [string, string])[] = [
  ['01', 'it refuses'],
  ['02', 'it takes five seconds for'],
  ['03', 'it says that it is pending, until it is asked about'],
  ['04', 'it never answers'],
  ['05', 'it charges, and the answer is lost: it is found when it is asked about'],
]

/** Stands in for a card processor, to try the pages with: no money moves. What it knows is in memory. */
export function demoProcessor(): LoadedProcessor {
  const stopped = new AbortController()
  const booked = new Set<string>()
  const entry = ({ merchantId, id }: Payment) => `${merchantId} ${id}`
  const seconds = (count: number) => sleep(count * 1000, undefined, { signal: stopped.signal })

  async function charge(payment: Payment): Promise<ChargeOutcome> {
    switch (payment.totalAmount % 100) {
      case 1:
        return { status: 'error', failure: 'card_declined' }
      case 2:
        await seconds(5)
        return { status: 'completed' }
      case 3:
        booked.add(entry(payment))
        return { status: 'pending' }
      case 4:
        await seconds(3600)
        throw new Error('no answer')
      case 5:
        booked.add(entry(payment))
        throw new Error('the connection to the bank was lost')
      default:
        return { status: 'completed' }
    }
  }

  const lookup: Lookup = payment => ({ status: booked.has(entry(payment)) ? 'completed' : 'unknown' })
  return { processor: { charge, lookup }, close: async () => stopped.abort() }
}
